# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# What every bats file loads first: `load lib`.
#
# bats traps to know: `run a | b` looks at nothing of the pipe (use run_pipe); $output drops NULs and trailing newlines
# (write to files and use `same`); a failing command inside `if`, `||` or a function called there does not end the test.

bats_require_minimum_version 1.5.0 # for run's --separate-stderr and -N

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DH_BIN=$(cd "$ROOT" && cd "${DH_BIN:-bin}" && pwd) || { echo "no binaries: run make first" >&2 && exit 1; }
DATA=$ROOT/tests/data
GOLDEN=$ROOT/tests/golden
# Third-party demos and WADs, and the scripts around the reference engines: not part of the project, next to it or not there.
SHARED=$ROOT/../shared/doom
PATH=$DH_BIN:$DH_BIN/tools:$PATH:/usr/games:/usr/local/games
export ROOT DH_BIN DATA GOLDEN SHARED PATH

# All tools there are. These by name, so that a test over them fails, not forgets, when one is gone; and whatever else
# cmd/ holds.
TOOLS=(dhcat dhsplit dhsim dhdiff lmp2dh dh2lmp dem2dh dh2dem dhinfo dhverify)
for tool in "$ROOT"/cmd/*.c; do
    tool=$(basename "$tool" .c)
    [[ " cmd fortify heap ${TOOLS[*]} " == *" $tool "* ]] || TOOLS+=("$tool")
done
unset tool

# ---- skips, with their reason ----------------------------------------------------------------------------------------

need_cmd() { # COMMAND...
    local c
    for c; do
        command -v "$c" >/dev/null || skip "$c is not installed"
    done
}

need_file() { # FILE...
    local f
    for f; do
        [ -e "$f" ] || skip "no ${f#"$ROOT/"} here"
    done
}

# The path of one of the free WADs (freedoom1, freedoom2, freedm) on standard output, status 1 where it is not installed.
free_wad() { # NAME
    local dir
    for dir in "${DOOMWADDIR:-}" /usr/share/games/doom /usr/local/share/games/doom /usr/share/doom /usr/local/share/doom; do
        if [ -n "$dir" ] && [ -e "$dir/$1.wad" ]; then
            echo "$dir/$1.wad"
            return
        fi
    done
    return 1
}

# Sets WAD to the path of that free WAD, or skips.
need_wad() { # NAME
    # shellcheck disable=SC2034 # for the caller
    WAD=$(free_wad "$1") || skip "$1.wad is not installed"
}

# ---- running ---------------------------------------------------------------------------------------------------------

# `run` for a pipe: the status is that of the last command that failed; the pipe is given as one string.
run_pipe() { # [run's options] PIPE
    local options=()
    while [ $# -gt 1 ]; do
        options+=("$1")
        shift
    done
    run "${options[@]}" bash -o pipefail -c "$1"
}

# ---- files -----------------------------------------------------------------------------------------------------------

# The same bytes, or the first difference: as text where both are text, in hex where not.
same() { # GOT WANT
    cmp -s "$1" "$2" && return
    [ -e "$1" ] || echo "there is no $1"
    [ -e "$2" ] || echo "there is no $2"
    if [ -e "$1" ] && [ -e "$2" ]; then
        echo "$1 (-, $(wc -c <"$1") bytes) is not $2 (+, $(wc -c <"$2") bytes)"
        if LC_ALL=C grep -q '[^[:print:][:space:]]' "$1" "$2"; then
            diff <(xxd "$1") <(xxd "$2") | head -n 12
        else
            diff -u "$1" "$2" | sed -n '3,40p'
        fi
    fi
    return 1
}

# Binary from hex in the arguments or on standard input; blanks, newlines and text after # do not count. One process where
# it can be, for it is called by the thousand.
hexfile() { # [HEX...] > FILE
    if [ $# -gt 0 ] && [[ $* != *'#'* ]]; then
        local IFS=$'\n'
        xxd -r -p <<<"$*"
    elif [ $# -gt 0 ]; then
        printf '%s\n' "$@" | sed 's/#.*//' | xxd -r -p
    else
        sed 's/#.*//' | xxd -r -p
    fi
}

# What the last `run` gave, for a failing test's report.
show() {
    echo "status ${status:-}"
    echo "stdout: ${output:-}"
    echo "stderr: ${stderr:-}"
}
