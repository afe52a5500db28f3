#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Long-play demos of whole episodes: 377,000 tics. Here every 35th tic is compared; DOOM_EVERY=1 compares all of them.

load lib
# shellcheck source=/dev/null
. "$GOLDEN/rows.bash"
# shellcheck source=/dev/null
. "$ROOT/tests/oracle/rows.bash"

setup_file() {
    oracle_compile
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

@test "the state of the reference engine at every 35th tic of three long demos" {
    compare_group long
}

# One line a level of what the reference engine's -statdump tells of it, and of our events. Where there is nothing to
# count, the former says 0 and no more.
levels_of_statdump() {
    awk '/^(MAP|E.M)/ { map = $1 } /^Time:/ { time = $2 } { of = $4 == "" ? "" : "/" $4 } /Kills:/ { kills = $2 of }
        /Items:/ { items = $2 of } /Secrets:/ { print map, time, kills, items, $2 of }' "$1"
}
levels_of_events() {
    grep '^event [0-9]* exit ' | awk 'function of(what) { return v["total" what] == 0 ? 0 : v[what] "/" v["total" what] } {
        for (i = 1; i <= NF; i++) { n = index($i, "="); v[substr($i, 1, n - 1)] = substr($i, n + 1) }
        s = int(v["time"] / 35)
        printf "%s %d:%02d %s %s %s\n", v["map"], s / 60, s % 60, of("kills"), of("items"), of("secrets") }'
}

@test "time, kills, items and secrets of every level of three long demos" {
    local name bad=0 n=0
    for name in $(row_names long); do
        row_files "$name" . || skip "$WHY"
        levels_of_statdump "$QUICKCHECK/expected/$name.txt" >expected
        lmp2dh -b "$DEMO_FILE" | dhsim --iwad "$IWAD_FILE" ${PWAD_FILE:+--file "$PWAD_FILE"} --digest --every 1000000 >run.dh
        levels_of_events <run.dh >got
        same got expected || { echo "$name: the above differs"; bad=1; }
        n=$((n + $(wc -l <expected)))
    done
    echo "$n levels"
    [ $bad = 0 ]
    [ $n -ge 92 ]
}
