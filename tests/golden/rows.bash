# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# The table demos.tsv, for those who source this: NAME, GROUP, IWAD, PWAD, DEMO, EVERY, STEP, separated by tabs.
#
#   IWAD   freedoom1, freedoom2, freedm, or miniwad.wad of ../shared/doom/quickcheck
#   PWAD   ZIP:WAD there, or -
#   DEMO   a lump's name; FILE.lmp there; or options of mkdemo
#   EVERY  compared at the multiples of so many tics and at the end
#   STEP   of those, the golden keeps each so-manieth
#
# Wants ROOT, the project's root, and mkdemo in the PATH. Bash 4.

DEMOS=$ROOT/tests/golden/demos.tsv
QUICKCHECK=$ROOT/../shared/doom/quickcheck

row_names() { # GROUP
    awk -F '\t' -v group="$1" '!/^#/ && $2 == group { print $1 }' "$DEMOS"
}

find_iwad() { # NAME
    local dir
    [ "$1" != miniwad ] || { echo "$QUICKCHECK/miniwad.wad"; return; }
    for dir in "${DOOMWADDIR:-}" /usr/share/games/doom /usr/local/share/games/doom /usr/share/doom /usr/local/share/doom; do
        [ -z "$dir" ] || [ ! -e "$dir/$1.wad" ] || { echo "$dir/$1.wad"; return; }
    done
    return 1
}

# The last lump of that name: its entry in the directory is the offset, the size and the name.
lump() { # WAD NAME > FILE
    local at from size
    at=$(LC_ALL=C grep -abo "$2" "$1" | tail -n 1 | cut -d: -f1)
    read -r from size < <(od -An -tu4 -j $((at - 8)) -N 8 "$1")
    tail -c +$((from + 1)) "$1" | head -c "$size"
}

# Sets EVERY_ROW, STEP, IWAD_FILE, PWAD_FILE (or empty) and DEMO_FILE, with what has to be made in FOLDER; or says in WHY what is missing, and 1.
row_files() { # NAME FOLDER
    local name group iwad pwad demo
    # shellcheck disable=SC2034 # for the caller
    IFS=$'\t' read -r name group iwad pwad demo EVERY_ROW STEP < <(awk -F '\t' -v name="$1" '$1 == name' "$DEMOS")
    [ -n "$name" ] || { WHY="no row $1"; return 1; }
    WHY='' PWAD_FILE='' DEMO_FILE=$2/$1.lmp
    IWAD_FILE=$(find_iwad "$iwad") || WHY="$iwad.wad is not installed"
    [ -n "$WHY" ] || [ -e "$IWAD_FILE" ] || WHY="no ../shared/doom/quickcheck here"
    if [ -z "$WHY" ] && [ "$pwad" != - ]; then
        PWAD_FILE=$2/${pwad#*:}
        command -v unzip >/dev/null || WHY="unzip is not installed"
        [ -n "$WHY" ] || [ -e "$PWAD_FILE" ] || unzip -qLj "$QUICKCHECK/${pwad%:*}" "${pwad#*:}" -d "$2" -C || WHY="no $pwad"
    fi
    [ -z "$WHY" ] || return 1
    case $demo in
    *.lmp) DEMO_FILE=$QUICKCHECK/$demo ;;
    -*)
        # shellcheck disable=SC2086 # options
        mkdemo $demo >"$DEMO_FILE"
        ;;
    *) lump "$IWAD_FILE" "$demo" >"$DEMO_FILE" ;;
    esac
}

# Of the lines of a run, a line a tic, those at the multiples of EVERY and the last.
sample() { # EVERY LINES
    awk -v every="$1" '$1 % every == 0 { print; shown = NR } { last = $0 } END { if (shown != NR) print last }' "$2"
}

# What a golden belongs to: other WADs and other demos make other states.
row_sums() { # [wad|demo]
    local f
    [ "${1:-wad}" != wad ] || for f in "$IWAD_FILE" ${PWAD_FILE:+"$PWAD_FILE"}; do
        echo "# wad $(basename "$f") $(sha256sum <"$f" | cut -c1-64)"
    done
    [ "${1:-demo}" != demo ] || echo "# demo $(sha256sum <"$DEMO_FILE" | cut -c1-64)"
}
golden_sums() { # NAME wad|demo
    grep "^# $2 " "$ROOT/tests/golden/$1.tap"
}
same_wads() { # NAME
    [ "$(row_sums wad)" = "$(golden_sums "$1" wad)" ]
}
