#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What holds for every tool alike, each test a loop over all of them. What holds for one is in that one's file.

load lib

# Runs a check for every tool; a check is a chain of && (it runs where the shell does not stop at failures). Afterwards
# every tool that failed has been named.
each() { # CHECK
    local bad=0
    for tool in "${TOOLS[@]}"; do
        rm -f out err
        "$1" || {
            bad=1
            echo "$tool: $1 does not hold (status ${got:-})"
            head -v -n 5 out err 2>/dev/null || true
        }
    done
    return $bad
}

# `try STATUS COMMAND...`: the status is that, with out and err as files.
try() {
    local want=$1
    shift
    got=0
    "$@" >out 2>err </dev/null || got=$?
    [ "$got" = "$want" ]
}

# The error's form is `tool: file: what`, one line, nothing on standard output.
complains() { # [ABOUT]
    [ ! -s out ] && grep -qF "$tool: ${1:-}" err
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Input that makes every tool write more than a pipe holds, made once: demos of 20,000 tics, two streams of 5,000
# states that differ in each, and a console with as many questions.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    {
        hexfile 6d 02 01 01 00 00 00 00 00 01 00 00 00
        head -c 80000 /dev/zero | tr '\0' '\1'
        hexfile 80
    } >long.lmp
    hexfile 6d 02 01 01 00 00 00 00 00 01 00 00 00 01010101 80 >short.lmp
    states 0 >a.dh
    states 1 >b.dh
    { yes status | head -n 5000 && echo quit; } >console
    {
        hexfile 44454d1a 1501 04000000 204e0000 01000000 0000 0000 ffff
        head -c 440387 /dev/zero
    } >long.dem
    dem2dh long.dem >blood.dh || true
    lmp2dh long.lmp >long.dh || true # a tool that is not there fails each of its tests, not the others'
}
states() { # VALUE
    awk -v x="$1" 'BEGIN {
        print "dhdm 1\nschema Thing x:i32\nheader game=none map=here rate=35 interval=1 start=0"
        for (t = 0; t < 5000; t++)
            printf "checkpoint %d - entities=1\ncheckpoint %d Thing@1 x=%d\n", t, t, x
        print "end 5000 reason=stop"
    }'
}

# Each tool at work on that, writing to where the caller says.
work() (
    cd "$BATS_FILE_TMPDIR" || return
    case $tool in
    dhcat | dhsplit | dh2lmp) "$tool" long.dh ;;
    lmp2dh) lmp2dh long.lmp ;;
    dem2dh) dem2dh long.dem ;;
    dh2dem) dh2dem blood.dh ;;
    dhinfo)
        # shellcheck disable=SC2046 # many operands
        dhinfo $(yes long.lmp | head -n 300)
        ;;
    dhverify)
        # shellcheck disable=SC2046 # many operands
        dhverify --iwad none --file "$DATA/yard.wad" $(yes short.lmp | head -n 300)
        ;;
    dhsim) dhsim --iwad none --file "$DATA/yard.wad" long.dh ;;
    dhdiff) dhdiff --all a.dh b.dh ;;
    dhserve) dhserve --lockstep console ;;
    *)
        echo "tests/00-tools.bats knows no work for $tool" >&2
        return 99
        ;;
    esac
)

there() {
    [ -x "$DH_BIN/$tool" ]
}
@test "every tool is built" {
    each there
}

help() {
    try 0 "$tool" "$1" && [ ! -s err ] && grep -q "^usage: $tool" out
}
help_short() { help -h; }
help_long() { help --help; }
@test "-h and --help: usage on standard output, status 0" {
    each help_short
    each help_long
}

version() {
    try 0 "$tool" --version && [ ! -s err ] && grep -qxE "$tool [0-9]+\.[0-9]+\.[0-9]+" out
}
@test "--version: the name and the version, status 0" {
    each version
}

misuse() {
    try 2 "$tool" "$@" && complains && grep -q "usage: $tool" err
}
unknown_letter() { misuse -Z; }
unknown_word() { misuse --no-such-option; }
@test "an unknown option: usage on standard error, status 2" {
    each unknown_letter
    each unknown_word
}

missing_file() {
    try 2 "$tool" no/such.file && complains no/such.file
}
@test "a missing file: named, status 2" {
    each missing_file
}

folder() {
    try 2 "$tool" . && complains .
}
@test "a folder for a file: named, status 2" {
    each folder
}

empty_input() {
    try 1 "$tool" && complains && : >nothing && try 1 "$tool" nothing && complains nothing && try 1 "$tool" -
}
@test "empty input: incomplete, status 1" {
    each empty_input
}

closed_input() {
    got=0
    "$tool" >out 2>err <&- || got=$?
    [ $got = 2 ] && complains
}
@test "closed standard input: status 2" {
    each closed_input
}

full_disk() {
    got=0
    "$tool" "$@" >/dev/full 2>err </dev/null || got=$?
    [ $got = 2 ] && grep -q "^$tool: " err
}
full_help() { full_disk -h; }
full_version() { full_disk --version; }
@test "a full disk under -h and --version: status 2" {
    [ -e /dev/full ] || skip "no /dev/full here"
    each full_help
    each full_version
}

closed_output() {
    got=0
    "$tool" --version >&- 2>err </dev/null || got=$?
    [ $got = 2 ]
}
closed_output_at_work() {
    got=0
    work >&- 2>err </dev/null || got=$?
    [ $got = 2 ] && complains
}
@test "closed standard output: status 2" {
    each closed_output
    each closed_output_at_work
}

full_at_work() {
    got=0
    work >/dev/full 2>err </dev/null || got=$?
    [ $got = 2 ] && complains
}
@test "a full disk in the middle of the work: status 2" {
    [ -e /dev/full ] || skip "no /dev/full here"
    each full_at_work
}

# The reader goes away after one byte: killed by SIGPIPE (128 + 13), and not a word.
broken_pipe() {
    { work 2>err </dev/null; echo $? >status; } | head -c 1 >out
    got=$(cat status)
    [ "$got" = 141 ] && [ -s out ] && [ ! -s err ]
}
@test "a broken pipe ends a tool quietly" {
    each broken_pipe
}

# -- ends the options, - is standard input, and a file that begins with a dash is reached as ./-file.
dash() {
    try 1 "$tool" -- - && try 2 "$tool" -- -no-such-file && complains -no-such-file
}
@test "the operands - and --" {
    each dash
}

# A binary of the static build depends on nothing; a build against the host's libc says so in obj/flags.
static() {
    readelf -d "$DH_BIN/$tool" >out 2>err && ! grep -q NEEDED out
}
@test "the release build is static" {
    need_cmd readelf
    grep -q "^LDFLAGS='-static" "$DH_BIN/obj/flags" || skip "built with STATIC=0"
    each static
}

man_page() {
    page=$ROOT/man/$tool.1
    [ -e "$page" ] && grep -q "^\.Dt ${tool^^} 1$" "$page" && grep -q '^\.Sh EXIT STATUS' "$page" &&
        grep -q '^\.Sh EXAMPLES' "$page"
}
@test "every tool has a man page with statuses and examples" {
    each man_page
}

# The table of dh.7 in short: a page's EXIT STATUS says each of the four, or that of those that the tool can give.
statuses() {
    page=$ROOT/man/$tool.1
    sed -n '/^\.Sh EXIT STATUS/,/^\.Sh [^E]/p' "$page" >section
    for n in 0 1 2; do
        grep -qE "^\.It (Sy |Li |Cm )?$n" section || return 1
    done
    [[ $tool != @(dhdiff|dhverify) ]] || grep -qE '^\.It (Sy |Li |Cm )?3' section
}
@test "every man page has the status table" {
    each statuses
}

# Each option that -h names has its entry on the man page, and the other way round; -h and --version go without saying.
# Lines like `-b`, `[-bu]`, `--until T` in the help, `.It Fl b` and `.It Fl -until Ar T` on the page: all to bare names.
option_names() {
    sed 's/^--*\([[:alnum:]]\)/\1/' | grep -vxE 'h|help|version' | sort -u
}
options_match() {
    "$tool" -h >out 2>err || return 1
    grep -oE -- '(^|[^[:alnum:]-])--?[[:alnum:]][[:alnum:]-]*' out | sed 's/^[^-]*//' >words
    { grep -e '^--' words; grep -v -e '^--' words | sed 's/^-//' | grep -o .; } | option_names >in_help
    sed -n '/^\.Sh DESCRIPTION/,/^\.Sh EXIT/s/^\.It Fl \([-\\[:alnum:]]*\).*/-\1/p' "$ROOT/man/$tool.1" | tr -d '\134' |
        option_names >in_page
    comm -13 in_help in_page >only_page
    comm -23 in_help in_page >only_help
    echo "only on the page: $(tr '\n' ' ' <only_page); only in -h: $(tr '\n' ' ' <only_help)" >err
    [ -e "$ROOT/man/$tool.1" ] && [ ! -s only_page ] && [ ! -s only_help ]
}
@test "-h and the man page name the same options" {
    each options_match
}

clean_page() {
    mandoc -Tlint -Wwarning "$ROOT/man/$tool.1" >out 2>err
}
@test "mandoc has no complaint about any page" {
    need_cmd mandoc
    each clean_page
    mandoc -Tlint -Wwarning "$ROOT"/man/*.[1-9]
}
