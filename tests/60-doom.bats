#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Demos replayed tic for tic as the reference engine does: against the packaged engine where it is installed, against the
# goldens that tests/golden/regenerate made of it where not. The demos are the rows of tests/golden/demos.tsv.

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

@test "the DEMO lumps of Freedoom: Phase 1" {
    compare_group freedoom1
}

@test "the DEMO lumps of Freedoom: Phase 2" {
    compare_group freedoom2
}

@test "the DEMO lumps of FreeDM" {
    compare_group freedm
}

@test "synthetic demos, one player, episodes" {
    compare_group episodes
}

@test "synthetic demos, one player, 32 maps" {
    compare_group maps
}

@test "synthetic demos, two to four players" {
    compare_group coop
}

@test "synthetic demos, deathmatch" {
    compare_group deathmatch
}

# hr-map26: a lost soul wakes what it slams into.
@test "demos in which the campaign found a difference once" {
    compare_group found
}

# What all of this stands on: the comparisons see a difference.

@test "a changed, a missing and an added tic are found" {
    local i
    for i in 1 2 3 4 5 6 7; do
        echo "$i $i E1M1 $((i * 3)) 40 0123456789abcde$i 1 2 3 40000000 100"
    done >reference
    "$ROOT/tests/oracle/golden" reference 2 >golden
    "$ROOT/tests/oracle/first" reference reference
    "$ROOT/tests/oracle/check" golden reference
    sed '1s/abcde1/abcdf1/' reference >first
    sed '4s/ 100$/ 99/' reference >middle
    sed '7s/E1M1/E1M2/' reference >last
    sed '$d' reference >missing
    sed '1!b; h; $!d' reference >one
    { cat reference; echo "8 8 E1M1"; } >added
    for i in first middle last missing one added; do
        run "$ROOT/tests/oracle/first" reference $i
        [ "$status" = 1 ]
        run "$ROOT/tests/oracle/check" golden $i
        [ "$status" = 1 ]
    done
    run "$ROOT/tests/oracle/first" reference middle
    [ "${lines[0]}" = "reference: 4 4 E1M1 12 40 0123456789abcde4 1 2 3 40000000 100" ]
    [ "${lines[1]}" = "ours:      4 4 E1M1 12 40 0123456789abcde4 1 2 3 40000000 99" ]
    run "$ROOT/tests/oracle/check" golden middle
    [ "${lines[1]}" = "golden: 4 4 E1M1 12 40 0123456789abcde4 1 2 3 40000000 100" ]
}
