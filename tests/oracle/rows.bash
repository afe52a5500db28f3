# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# Comparing the rows of tests/golden/demos.tsv, for the bats files that do: `oracle_compile` in setup_file, then `compare_group GROUP`.

ORACLE=$ROOT/tests/oracle

# The library to preload is compiled once, not for each demo. TAP_LIB says that there is an engine to compare with;
# DOOM_ENGINE=0 takes the goldens although there is one.
oracle_compile() {
    unset TAP_LIB
    [ "${DOOM_ENGINE:-1}" != 0 ] || return 0
    command -v dsda-doom >/dev/null && command -v cc >/dev/null || return 0
    export TAP_LIB=$BATS_FILE_TMPDIR/tap.so
    cc -O2 -shared -fPIC -o "$TAP_LIB" "$ORACLE/tap.c" -ldl
}

replay_row() {
    "$ORACLE/replay" "$IWAD_FILE" "$DEMO_FILE" ours ${PWAD_FILE:+--file "$PWAD_FILE"} --every "$EVERY" 2>replay.err </dev/null
}

# The golden of these WADs and this demo says what the engine says; a golden of other WADs says nothing.
golden_holds() { # NAME LINES
    "$ORACLE/check" "$GOLDEN/$1.tap" "$2" || { echo "$1: the golden is not the engine's: make golden"; return 1; }
}

against_engine() { # NAME
    replay_row &
    "$ORACLE/tap" "$IWAD_FILE" "$DEMO_FILE" all ${PWAD_FILE:+-file "$PWAD_FILE"} >tap.err 2>&1 </dev/null ||
        { wait; echo "$1: the engine failed:"; cat tap.err; return 1; }
    wait $! || { echo "$1: the replay failed:"; cat replay.err; return 1; }
    sample "$EVERY" all >reference
    [ -s reference ] || { echo "$1: the engine ran no tic"; return 1; }
    "$ORACLE/first" reference ours || { echo "$1: the above differs"; return 1; }
    [ "$EVERY" != "$EVERY_ROW" ] || ! same_wads "$1" || golden_holds "$1" reference
}

against_golden() { # NAME
    [ "$(golden_sums "$1" demo)" = "$(row_sums demo)" ] || { echo "$1: the golden is of another demo: make golden"; return 1; }
    EVERY=$EVERY_ROW replay_row || { echo "$1: the replay failed:"; cat replay.err; return 1; }
    "$ORACLE/check" "$GOLDEN/$1.tap" ours || { echo "$1: the above differs"; return 1; }
}

compare_row() { # NAME: or 1, having said what differs; WHY is set where it cannot be compared here
    row_files "$1" . || return 0
    EVERY=${DOOM_EVERY:-$EVERY_ROW}
    if [ -n "${TAP_LIB:-}" ]; then
        against_engine "$1"
    elif same_wads "$1"; then
        against_golden "$1"
    else
        WHY="no dsda-doom here, and the golden is of another $(basename "${PWAD_FILE:-$IWAD_FILE}")"
    fi
}

# Every row of the group, and all that fail are named; those that cannot run are the reason of a skip once the others have passed.
compare_group() { # GROUP
    local name bad=0 agree=0 why=()
    for name in $(row_names "$1"); do
        compare_row "$name" || bad=1
        [ -z "$WHY" ] || why+=("$name: $WHY")
        [ -n "$WHY" ] || agree=$((agree + 1))
    done
    [ $bad = 0 ] || return 1
    [ ${#why[@]} = 0 ] || skip "${why[0]} (so for ${#why[@]} of $((agree + ${#why[@]})) demos; the others agree)"
    [ $agree -gt 0 ]
}
