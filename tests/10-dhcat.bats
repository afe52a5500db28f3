#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhcat. What the encodings do with every byte is in unit/stream; here is what the tool makes of it.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    sample=$DATA/sample.dh-demo
    sample_text=$DATA/sample.dh-text
}

@test "the sample: text by default, binary with -b, from either" {
    dhcat "$sample" >text
    same text "$sample_text"
    dhcat <"$sample_text" >text
    same text "$sample_text"
    dhcat -b "$sample_text" >binary
    same binary "$sample"
    dhcat -b - <"$sample" >binary
    same binary "$sample"
    dhcat -bu "$sample_text" | dhcat -u >text
    same text "$sample_text"
}

@test "several files are several streams, and so is what cat makes of them" {
    # shellcheck disable=SC2094 # it is only read
    dhcat "$sample" "$sample_text" - <"$sample" >three
    cat "$sample_text" "$sample_text" "$sample_text" >want
    same three want
    cat "$sample" "$sample_text" "$sample" | dhcat >three
    same three want
}

@test "a truncated file: all whole records, where it ends, no end record, status 1" {
    head -c 520 "$sample" >cut.dh
    run --separate-stderr dhcat cut.dh
    [ "$status" -eq 1 ]
    [ "$stderr" = "dhcat: cut.dh: truncated: the input ends inside a chunk (log, 24 of 26 bytes): tick 2, byte 491" ] || { show; false; }
    [ "$output" = "$(sed '/^log/,$d' "$sample_text")" ] || { show; false; }
}

@test "a truncated text: the same, with the line" {
    head -n 12 "$sample_text" >cut.dh
    run --separate-stderr dhcat cut.dh
    [ "$status" -eq 1 ]
    [ "$stderr" = "dhcat: cut.dh: truncated: the input ends with 2 entity lines still to come: tick 0, line 13" ] || { show; false; }
    [ "$output" = "$(head -n 11 "$sample_text")" ] || { show; false; }

    head -c -1 "$sample_text" >cut.dh
    run --separate-stderr dhcat cut.dh
    [ "$status" -eq 1 ]
    [ "$stderr" = "dhcat: cut.dh: truncated: the last line has no newline: tick 2, line 25" ] || { show; false; }
    [ "$output" = "$(head -n 24 "$sample_text")" ]
}

@test "the failure goes down a pipe whose last command is all that the shell sees" {
    head -c 300 "$sample" >cut.dh
    for options in "" -b; do
        run --separate-stderr bash -c "dhcat $options cut.dh 2>/dev/null | dhcat >/dev/null"
        [ "$status" -eq 1 ]
    done
}

@test "a corrupt file: what was before it, tick and byte, status 2" {
    cp "$sample" bad
    printf '\377\377\377\377' | dd of=bad bs=1 seek=492 conv=notrunc status=none # the log's length
    run --separate-stderr dhcat bad
    [ "$status" -eq 2 ]
    [ "$stderr" = "dhcat: bad: chunk of kind 10 (log): negative length -1: tick 2, byte 491" ] || { show; false; }
    [ "$output" = "$(sed '/^log/,$d' "$sample_text")" ] || { show; false; }

    sed 's/push=-3/push=-300/' "$sample_text" >bad
    run --separate-stderr dhcat bad
    [ "$status" -eq 2 ]
    [ "$stderr" = "dhcat: bad: push: expected a whole number within range (i8), found '-300': tick 0, line 16" ] || { show; false; }
}

@test "of several files the worst status; the good ones are all there" {
    head -c 300 "$sample" >cut.dh
    sed 's/push=50/pull=50/' "$sample_text" >bad
    run --separate-stderr dhcat "$sample" cut.dh "$sample"
    [ "$status" -eq 1 ]
    [ "$(grep -c '^end' <<<"$output")" = 2 ]
    run --separate-stderr dhcat cut.dh bad none "$sample"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" = 3 ] || { show; false; }
    [ "$(grep -c '^end' <<<"$output")" = 1 ]
    cat "$sample" cut.dh "$sample" >one # here the cut swallows what follows
    run --separate-stderr dhcat one
    [ "$status" -ne 0 ]
    head -n 14 "$sample_text" | cat - "$sample_text" >one # and here it does not
    run --separate-stderr dhcat one
    [ "$status" -eq 1 ]
    [ "$stderr" = "dhcat: one: truncated: another stream begins before this one's end record: tick 0, line 14" ] || { show; false; }
    [ "$(grep -c '^end' <<<"$output")" = 1 ]
}

@test "what is no demo is named" {
    printf 'PWAD\0\0\0\0\0\0\0\0' >x.wad
    run --separate-stderr dhcat x.wad
    [ "$status" -eq 2 ]
    [[ "$stderr" == "dhcat: x.wad: not a demo stream: expected DHDM or dhdm 1, found a WAD"* ]] || { show; false; }
    printf 'm\2\1\1\0\0\0\0\0\1\0\0\0\200' >x.lmp
    run --separate-stderr dhcat x.lmp
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"a Doom demo of version 109 (lmp2dh reads those): byte 0" ]] || { show; false; }
}

@test "binary is refused on a terminal" {
    need_cmd script
    run script -qec "dhcat -b '$sample'" /dev/null
    [ "$status" -eq 2 ]
    [[ "$output" == *"not writing binary to a terminal"* ]] || { show; false; }
}

@test "-u: a record is out as soon as it is in" {
    for encoding in "$sample" "$sample_text"; do
        rm -f in
        mkfifo in
        dhcat -u in >out &
        pid=$!
        exec 9>in
        case $encoding in
        *text) head -n 15 "$encoding" >&9 ;;
        *) head -c 366 "$encoding" >&9 ;; # up to and with the first input
        esac
        for _ in $(seq 100); do
            [ "$(wc -l <out)" -ge 15 ] && break
            sleep 0.1
        done
        head -n 15 "$sample_text" >want
        same out want
        exec 9>&-
        got=0
        wait $pid || got=$?
        [ $got = 1 ]
    done
}

@test "-F: inputs as columns" {
    dhcat -F tick,slot,push,buttons "$sample" >columns
    printf '0\t0\t50\tjump\n1\t0\t-3\t0\n' >want
    same columns want
    dhcat "$sample" | dhcat -u -F kind,push >columns
    printf 'input\t50\ninput\t-3\n' >want
    same columns want
}

@test "-F -k: other records, and entities" {
    columns() { # KIND NAMES WANT
        dhcat -k "$1" -F "$2" "$sample" >columns
        printf '%b' "$3" >want
        same columns want
    }
    columns header game,map,rate,rule.gravity,closure 'yard\tcourt\t60\t9.8\t\n'
    columns join tick,slot,name,pos '0\t0\tAda\\040L.\t0,0,-1.5\n'
    columns event tick,what,slot,by,of '2\tgoal\t0\tAda\t\n'
    columns log topic,text 'trace\tthe\\040ball\\040is\\040out\n'
    columns end tick,reason '3\tstop\n'
    columns checkpoint tick,rng,entities,digest '0\t1\t2\t0xb36d353bcc391a83\n2\t3\t2\t0x5bb121b79b302c58\n'
    columns checkpoint tick,entity,pos '0\tBall@1\t0,0.5,-1.5\n2\tBall@1\t0.1,0.5,-1.5\n'
    columns checkpoint tick,type,id,owner,open '0\tBall\t1\t-\t\n0\tGate\t2\t\t0.25\n2\tBall\t1\tGate@2\t\n2\tGate\t2\t\t1\n'
    columns checkpoint id,rng '1\t1\n2\t1\n1\t3\n2\t3\n'
    columns snapshot digest '0x5bb121b79b302c58\n'
    columns snapshot id ''
}

@test "-F: a name that the stream does not have, a stream cut short, misuse" {
    run --separate-stderr dhcat -F tick,pull "$sample"
    [ "$status" -eq 2 ]
    [ "$stderr" = "dhcat: $sample: input: no column 'pull' in this stream" ] || { show; false; }
    run --separate-stderr dhcat -k checkpoint -F pull "$sample"
    [ "$status" -eq 2 ]
    head -c 400 "$sample" >cut.dh
    run --separate-stderr dhcat -F tick cut.dh
    [ "$status" -eq 1 ]
    [ "$output" = $'0\n1' ]
    for misuse in "-F ,a" "-F a -b" "-k join" "-F a -k nothing" "-F a -k schema"; do
        # shellcheck disable=SC2086 # two words
        run --separate-stderr dhcat $misuse "$sample"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
    done
    run bash -c "dhcat -F tick '$sample' >/dev/full"
    [ "$status" -eq 2 ]
}

@test "a full disk, a closed pipe" {
    [ -e /dev/full ] || skip "no /dev/full here"
    for options in "" -b -u -bu; do
        # shellcheck disable=SC2086 # may be none
        run --separate-stderr bash -c "dhcat $options '$sample' >/dev/full"
        [ "$status" -eq 2 ]
        [[ "$stderr" == "dhcat: standard output: write failed: "* ]] || { show; false; }
    done
    mkstream 10000000 >big
    run bash -c 'dhcat big | head -n 1; echo "${PIPESTATUS[0]}"'
    [ "${lines[1]}" = 141 ] || { show; false; } # SIGPIPE, and not a word
    [ "${#lines[@]}" = 2 ]
    # also where the parent had it ignored
    run bash -c 'trap "" PIPE; dhcat big | head -n 1; echo "${PIPESTATUS[0]}"'
    [ "${lines[1]}" = 141 ] || { show; false; }
}

no_sanitizer() { # which take terabytes of address space
    ! grep -q fsanitize "$DH_BIN/obj/flags" || skip "built with sanitizers"
}

# Through both encodings and back under a limit of 64 MiB, to the same bytes.
constant_memory() { # BYTES
    bash -o pipefail -c "ulimit -v 65536; mkstream $1 | dhcat | dhcat -b | sha256sum >there"
    mkstream "$1" | sha256sum >here
    same there here
}

@test "memory does not grow with the stream: 256 MiB in 64 MiB" {
    no_sanitizer
    constant_memory 268435456
}

@test "memory does not grow with the stream: 4 GiB in 64 MiB" {
    no_sanitizer
    [ -n "${BIG:-}" ] || skip "takes minutes; BIG=1 runs it"
    constant_memory 4294967296
}

@test "a length in the file asks for no memory: 256 MiB claimed in 64 MiB" {
    no_sanitizer
    head -c 8 "$sample" >claim
    hexfile 05 00 00 00 10 >>claim # a checkpoint of the largest size, of which nothing follows
    run --separate-stderr bash -c 'ulimit -v 65536; dhcat claim'
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"(checkpoint, 0 of 268435456 bytes)"* ]] || { show; false; }
}
