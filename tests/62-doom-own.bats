#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Our own levels and demos, which need no game data: replayed tic for tic as the reference engine does, and broken in
# all the ways that mkbroken knows.

load lib

ORACLE=$ROOT/tests/oracle

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Every row of tests/data/worlds, replayed from the WAD alone: $PWD/NAME.ours
replay_all() {
    "$DATA/worlds" "$PWD" >rows
    while read -r name wad _; do
        "$ORACLE/replay" "$wad" "$name.lmp" "$name.ours" </dev/null
    done <rows
}

@test "our demos in our WADs alone, against the reference's goldens" {
    replay_all
    while read -r name _; do
        "$ORACLE/check" "$GOLDEN/own-$name.tap" "$name.ours" || { echo "$name differs" && false; }
    done <rows
}

@test "our demos against the reference engine: on Freedoom, and alone the same" {
    need_cmd dsda-doom cc
    need_wad freedoom1
    need_wad freedoom2
    replay_all
    while read -r name _ maps iwad; do
        WAD=$(free_wad "$iwad")
        "$ORACLE/tap" "$WAD" "$name.lmp" engine -file "$maps" </dev/null
        "$ORACLE/replay" "$WAD" "$name.lmp" over --file "$maps" </dev/null
        [ -s engine ]
        "$ORACLE/first" engine over || { echo "$name differs on $iwad" && false; }
        "$ORACLE/first" engine "$name.ours" || { echo "$name differs alone" && false; }
        "$ORACLE/check" "$GOLDEN/own-$name.tap" engine || { echo "tests/data/reference is due" && false; }
    done <rows
}

@test "a broken WAD is an error that names what is broken, or plays as it does in the executables" {
    mkdir broken
    mkbroken "$DATA/yard.wad" broken >list
    lmp2dh -b "$DATA/walk.lmp" >walk.dh
    while read -r name status text; do
        run -"$status" --separate-stderr timeout 60 dhsim --iwad "broken/$name.wad" --until 350 --digest walk.dh
        [[ $stderr == *"$text"* ]] || { echo "$name: expected '$text'" && show && false; }
        if [ "$status" = 0 ]; then
            grep -q '^snapshot 350 ' <<<"$output"
            grep -q '^end ' <<<"$output"
        else
            [ -n "$stderr" ]
            run ! grep '^end ' <<<"$output"
        fi
    done <list
}
