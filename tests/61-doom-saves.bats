#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What no line of tests/oracle/tap has: sectors, lines, sides, players and active specials, compared with the savegames that
# an engine writes at save buttons planted into demos. The demos are rows of tests/golden/demos.tsv.

load lib
# shellcheck source=/dev/null
. "$GOLDEN/rows.bash"

setup_file() {
    command -v chocolate-doom >/dev/null && command -v cc >/dev/null || return 0
    export KEEP_LIB=$BATS_FILE_TMPDIR/keep.so
    cc -O2 -shared -fPIC -o "$KEEP_LIB" "$ROOT/tests/oracle/keep.c" -ldl
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Savegames at every so many tics of these rows.
saves() { # EVERY NAME...
    need_cmd chocolate-doom cc
    local every=$1 name bad=0 ran=0 why=()
    shift
    for name; do
        if ! row_files "$name" .; then
            why+=("$name: $WHY")
            continue
        fi
        ran=$((ran + 1))
        "$ROOT/tests/oracle/planted" "$IWAD_FILE" "$DEMO_FILE" "$(seq -s , "$every" "$every" 100000)" ${PWAD_FILE:+"$PWAD_FILE"} \
            >report 2>&1 || { echo "$name:"; cat report; bad=1; }
    done
    [ $bad = 0 ] || return 1
    [ ${#why[@]} = 0 ] || skip "${why[0]} (${#why[@]} of $((ran + ${#why[@]})) demos; the others agree)"
    [ $ran -gt 0 ]
}

@test "savegames of the DEMO lumps of Freedoom: Phase 1" {
    # shellcheck disable=SC2046 # words
    saves 150 $(row_names freedoom1)
}

@test "savegames of the DEMO lumps of Freedoom: Phase 2" {
    # shellcheck disable=SC2046
    saves 150 $(row_names freedoom2)
}

@test "savegames of the DEMO lumps of FreeDM" {
    # shellcheck disable=SC2046
    saves 150 $(row_names freedm)
}

@test "savegames of synthetic demos, one player" {
    # shellcheck disable=SC2046
    saves 400 $(row_names episodes | head -n 4) $(row_names maps | head -n 4)
}

# The engines do not agree on all that a demo can meet. What dsda-doom, of which the goldens are, plays differently from
# chocolate-doom is compared with the latter alone.
@test "savegames of demos that the ports play differently" {
    # shellcheck disable=SC2046
    saves 200 $(row_names saves)
}

@test "savegames of synthetic demos, several players" {
    # shellcheck disable=SC2046
    saves 400 $(row_names coop | head -n 3) $(row_names deathmatch | head -n 3)
}

@test "a changed field, a missing and an added line are found" {
    printf '%s\n' 'level E1M1 skill=2 leveltime=9' 'Sector 0 floor=8 ceiling=96' 'mobj 0 x=1 y=2' 'mobj 1 x=3 y=4' >reference
    "$ROOT/tests/oracle/fields" reference reference
    sed 's/ceiling=96/ceiling=95/' reference >changed
    sed '$d' reference >missing
    { cat reference; echo 'Door 0 sector=7'; } >added
    for want in 'changed Sector 0: reference ceiling=96, ours ceiling=95' 'missing mobj 1: only in the reference' 'added Door 0: only here'; do
        run "$ROOT/tests/oracle/fields" reference "${want%% *}"
        show
        [ "$status" = 1 ]
        [ "$output" = "${want#* }" ]
    done
}

@test "a savegame that is cut short, or of another map, is refused" {
    need_cmd chocolate-doom cc
    need_wad freedoom1
    mkdemo -t 200 | mkdemo --plant 100 >demo.lmp 2>tics
    "$ROOT/tests/oracle/saves" "$WAD" demo.lmp saves
    savelines --wad "$WAD" saves/0000.dsg >lines
    [ "$(grep -c '^Sector' lines)" -gt 50 ]
    head -c 20000 saves/0000.dsg >short.dsg
    run savelines --wad "$WAD" short.dsg
    [ "$status" = 2 ]
    { head -c 42 saves/0000.dsg; printf '\002'; tail -c +44 saves/0000.dsg; } >other.dsg
    run savelines --wad "$WAD" other.dsg
    [ "$status" = 2 ]
}
