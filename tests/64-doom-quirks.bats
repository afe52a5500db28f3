#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What the executables do their own way, each in a level or demo of its own (tests/data/quirks), against what
# chocolate-doom put into its savegames there (tests/golden/quirks, made by tests/data/quirks/reference).

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# The rows whose name matches.
rows() { # REGEX
    grep -v '^#' "$DATA/quirks/rows" | cut -d ' ' -f 1 | grep -E "$1"
}

against_golden() { # REGEX
    local name bad=0 ran=0
    for name in $(rows "$1"); do
        "$ROOT/tests/oracle/quirk" ours "$name" . >"$name.lines" </dev/null || { echo "$name: the replay failed"; bad=1; continue; }
        "$ROOT/tests/oracle/brief" "$name.lines" >"$name.brief"
        same "$name.brief" "$GOLDEN/quirks/$name" || { echo "$name differs"; bad=1; }
        ran=$((ran + 1))
    done
    [ $bad = 0 ] && [ $ran -gt 0 ]
}

@test "every row has a golden, and every golden a row" {
    same <(rows . | sort) <(ls "$GOLDEN/quirks" | sort)
}

@test "the executables from 1.2 to Final Doom, in one arena" { against_golden '^arena-'; }

@test "what changed after 1.2, and with Ultimate Doom, one by one" { against_golden '^(turbo|bonus|gibs|revenge|cross|reach|skull)-'; }

@test "the deaths of bosses, by map and executable" { against_golden '^boss-'; }

@test "the goldens are what the engine says: one row made anew" {
    need_cmd chocolate-doom cc
    need_wad freedoom1
    "$ROOT/tests/oracle/quirk" reference arena-1.2 . >lines
    "$ROOT/tests/oracle/brief" lines >brief
    same brief "$GOLDEN/quirks/arena-1.2"
}
