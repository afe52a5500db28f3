#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhsim --use-footer: the files and settings that a demo's footer names.

load lib
load dialects

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# A demo with a footer that has this command line.
with_footer() { # DEMO CMDLINE > FILE
    cat "$1"
    hexfile "$(pwad_footer 'a port 1.0' "$2")"
}

@test "files: where the command line names none" {
    cp "$DATA/yard.wad" "$DATA/walk.lmp" .
    with_footer walk.lmp '-file "yard.wad" -complevel 2' >a.lmp
    lmp2dh walk.lmp | dhsim --iwad none --file yard.wad --digest | grep -E '^(snapshot|event|resource)' >want
    lmp2dh a.lmp | dhsim --iwad none --use-footer --digest | grep -E '^(snapshot|event|resource)' >got
    same got want
    [ -s want ]
    # without being asked, a footer says nothing
    run --separate-stderr bash -o pipefail -c 'lmp2dh a.lmp | dhsim --iwad none'
    [ "$status" = 2 ]
    # what the command line names counts
    with_footer walk.lmp '-file "nosuch.wad"' >b.lmp
    run --separate-stderr bash -o pipefail -c 'lmp2dh b.lmp | dhsim --iwad none --use-footer'
    [ "$status" = 2 ]
    [[ $stderr == *nosuch.wad* ]]
    lmp2dh b.lmp | dhsim --iwad none --file yard.wad --use-footer --digest | grep -E '^(snapshot|event|resource)' >got
    same got want
}

@test "one demo's footer is not the next one's" {
    cp "$DATA/yard.wad" "$DATA/walk.lmp" .
    with_footer walk.lmp '-file "yard.wad" -nomonsters -solo-net' >a.lmp
    lmp2dh a.lmp >two.dh
    lmp2dh walk.lmp >>two.dh
    run --separate-stderr dhsim --iwad none --file yard.wad --use-footer --digest two.dh
    [ "$status" = 0 ]
    [[ $stderr == *'no footer with a command line in this stream'* ]]
    lmp2dh walk.lmp | dhsim --iwad none --file yard.wad --digest | grep ^snapshot >want
    grep ^snapshot <<<"$output" | tail -n "$(wc -l <want)" >got
    same got want
}

@test "what no header stores: monsters in Doom 1.2, who else is in the game, which executable" {
    cp "$DATA/yard.wad" "$DATA/walk.lmp" .
    state() { # FILE OPTION...
        local f=$1
        shift
        lmp2dh --game doom "$f" | dhsim --iwad none --file yard.wad --digest --every 0 "$@" | grep ^snapshot | tail -n 1
    }
    lmp2dh walk.lmp | dh2lmp --dialect doom12 >old.lmp
    with_footer old.lmp '-nomonsters' >old-nomo.lmp
    [ "$(state old.lmp)" = "$(state old-nomo.lmp)" ]
    [ "$(state old.lmp)" != "$(state old-nomo.lmp --use-footer)" ]
    # the header of 1.9 has its own word on it
    with_footer walk.lmp '-nomonsters' >new.lmp
    [ "$(state walk.lmp)" = "$(state new.lmp --use-footer)" ]
    with_footer walk.lmp '-complevel 3' >ultimate.lmp
    [ "$(state walk.lmp --game-version ultimate)" = "$(state ultimate.lmp --use-footer)" ]
    with_footer walk.lmp '-complevel 9' >boom.lmp
    run --separate-stderr bash -o pipefail -c 'lmp2dh boom.lmp | dhsim --iwad none --file yard.wad --use-footer'
    [ "$status" = 0 ]
    [[ $stderr == *"complevel 9 is no executable's: not used"* ]]
}

@test "-solo-net and -coop_spawns play as in an engine" {
    need_cmd dsda-doom
    need_wad freedoom2
    need_cmd cc
    local map option
    for map in 1 4; do
        mkdemo -s 3 -t 300 -m $map >demo.lmp
        for option in '' -coop_spawns -solo-net; do
            # shellcheck disable=SC2086
            "$ROOT/tests/oracle/tap" "$WAD" demo.lmp want.tap $option
            with_footer demo.lmp "-iwad \"$WAD\" -complevel 2 $option" >a.lmp
            lmp2dh a.lmp | dhsim -b --use-footer --every 1 | taplines >got.tap
            same got.tap want.tap
            sha256sum <want.tap >>sums
        done
    done
    [ "$(sort -u sums | wc -l)" -ge 5 ] # the options do make a difference
}
