#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhsplit, on streams of a game that nobody has heard of.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    yard >demo
}

# A recording that starts at tick 100, with checkpoints at 100, 200 and 300; Bob joins at 200 and leaves at 250.
yard() {
    cat <<'END'
dhdm 1
schema rule gravity:f32
schema input push:i8
schema join pos:vec3 hat:str
schema state rng:u8
schema Gate open:fix
schema Pawn hat:str pos:vec3 speed:f32
header game=yard map=court rate=60 interval=100 start=100 rule.gravity=9.8
origin part=head hex=0x0d0a
resource role=pallet name=court.yard size=4096
join 100 0 wire=7 name=Ada pos=0,0,-1.5 hat=red
checkpoint 100 - entities=2 rng=1
checkpoint 100 Pawn@7 hat=red pos=0,0,-1.5 speed=0
checkpoint 100 Gate@1 open=0.25
snapshot 100 - entities=2 rng=1
snapshot 100 Pawn@7 hat=red pos=0,0,-1.5 speed=0
snapshot 100 Gate@1 open=0.25
input 100 0 push=1
input 150 0 push=2
event 200 bell by=nobody
join 200 1 wire=9 name=Bob pos=5,5,5 hat=blue
checkpoint 200 - entities=3 rng=2
checkpoint 200 Gate@1 open=0.5
checkpoint 200 Pawn@9 hat=blue pos=5,5,5 speed=0
checkpoint 200 Pawn@7 hat=green pos=1,2,3 speed=4
snapshot 200 - entities=3 rng=2
snapshot 200 Gate@1 open=0.5
snapshot 200 Pawn@9 hat=blue pos=5,5,5 speed=0
snapshot 200 Pawn@7 hat=green pos=1,2,3 speed=4
log 200 talk text=hello
input 200 0 push=3
input 200 1 push=4
leave 250 1
input 250 0 push=5
raw kind=77 hex=0xc0ffee
checkpoint 300 - entities=1 rng=3
checkpoint 300 Pawn@7 hat=none pos=9,9,9 speed=1
input 300 0 push=6
input 310 0 push=7
origin part=tail hex=0xff
end 310 reason=shutdown
END
}

# dhsplit's output with the lines of one kind only, or all but the schemas, without digests.
kinds() { # FILE [KIND...]
    local file=$1
    shift
    if [ $# -eq 0 ]; then
        sed '/^schema/d; s/ digest=0x[0-9a-f]*//' "$file"
    else
        grep -E "^($(IFS='|' && echo "$*")) " "$file" | sed 's/ digest=0x[0-9a-f]*//' || true
    fi
}

# No line of the file matches. (A bare `! grep` does not end a bats test.)
lacks() { # PATTERN FILE
    ! grep "$1" "$2"
}

# Whatever comes out is a stream that every tool takes, with an end, the same in both encodings.
valid() { # FILE
    dhcat "$1" >valid.text && same valid.text "$1" && dhcat -b "$1" >valid.bin && dhcat valid.bin | cmp -s - "$1"
}

@test "all of it is all of it" {
    dhcat demo >whole
    dhsplit demo >out 2>err
    same out whole
    [ ! -s err ]
    dhsplit --from 0 --until 311 <demo >out
    same out whole
    dhsplit --from 100 - <demo | cmp - whole
    dhsplit -b demo | dhcat | cmp - whole
    dhcat -b demo | dhsplit | cmp - whole
}

@test "--until: inputs half-open, states and events at the edge" {
    dhsplit --until 200 demo >out
    valid out
    [ "$(kinds out input)" = "$(printf '%s\n' 'input 100 0 push=1' 'input 150 0 push=2')" ]
    [ "$(kinds out event)" = 'event 200 bell by=nobody' ]
    grep -q '^checkpoint 200 Pawn@9' out
    grep -q '^snapshot 200 Pawn@9' out
    [ "$(kinds out log)" = '' ]
    [ "$(tail -n 1 out)" = 'end 200 reason=split' ]
    # the states at 200 hold what Bob's join did, so the slice can only check itself with it
    [ "$(kinds out join | wc -l)" = 2 ]
    # without them it is as half-open as the inputs
    dhsplit --until 250 demo >out
    valid out
    [ "$(kinds out leave)" = '' ]
    [ "$(kinds out origin | wc -l)" = 1 ]
    grep -qx 'header game=yard map=court rate=60 interval=100 start=100 rule.gravity=9.8' out
    [ "$(tail -n 1 out)" = 'end 250 reason=split' ]
}

@test "--until at the end keeps the end's own reason, unless something is left out" {
    dhsplit --until 311 demo | tail -n 1 >out
    [ "$(cat out)" = 'end 310 reason=shutdown' ]
    # the input of the last tick, which was never run, is beyond 310
    dhsplit --until 310 demo >out
    [ "$(tail -n 1 out)" = 'end 310 reason=split' ]
    [ "$(kinds out input | tail -n 1)" = 'input 300 0 push=6' ]
    [ "$(kinds out origin | wc -l)" = 1 ]
    grep -v '^input 310' demo | dhsplit --until 310 >out
    [ "$(tail -n 1 out)" = 'end 310 reason=shutdown' ]
    [ "$(kinds out origin | wc -l)" = 2 ]
}

@test "--from: the latest checkpoint at or before, and everybody joins as they stand" {
    cat >want <<'END'
dhdm 1
header game=yard map=court rate=60 interval=100 start=200 rule.gravity=9.8
resource role=pallet name=court.yard size=4096
join 200 0 wire=7 name=Ada pos=1,2,3 hat=green
join 200 1 wire=9 name=Bob pos=5,5,5 hat=blue
checkpoint 200 - entities=3 rng=2
checkpoint 200 Gate@1 open=0.5
checkpoint 200 Pawn@9 hat=blue pos=5,5,5 speed=0
checkpoint 200 Pawn@7 hat=green pos=1,2,3 speed=4
snapshot 200 - entities=3 rng=2
snapshot 200 Gate@1 open=0.5
snapshot 200 Pawn@9 hat=blue pos=5,5,5 speed=0
snapshot 200 Pawn@7 hat=green pos=1,2,3 speed=4
log 200 talk text=hello
input 200 0 push=3
input 200 1 push=4
leave 250 1
input 250 0 push=5
raw kind=77 hex=0xc0ffee
end 260 reason=split
END
    for from in 200 201 250; do
        run -0 --separate-stderr dhsplit --from $from --until 260 demo
        printf '%s\n' "$output" >out
        valid out
        kinds out >got
        same got want
        [[ $stderr == *"tick $from: begins at the checkpoint at tick 200"* ]]
    done
    # again from where a slice begins
    dhsplit --from 200 --until 260 demo 2>/dev/null >once
    dhsplit --from 230 once 2>/dev/null >twice
    same twice once
}

@test "--from: who has left does not join" {
    dhsplit --from 309 demo >out 2>/dev/null
    valid out
    [ "$(kinds out join)" = 'join 300 0 wire=7 name=Ada pos=9,9,9 hat=none' ]
    # the source file cannot be had back from here
    [ "$(kinds out origin)" = '' ]
    [ "$(tail -n 1 out)" = 'end 310 reason=shutdown' ]
}

@test "a slice at the opening checkpoint is still the stream's beginning" {
    sed 's/start=100/start=100 fresh=1/' demo | dhsplit --from 150 --until 170 2>/dev/null >out
    valid out
    grep -q '^header .* start=100 fresh=1 ' out
    kinds out origin | grep -q part=head
}

@test "no checkpoint to start from: an error, not a broken file" {
    sed '/^checkpoint [12]00/d' demo >late
    run -2 --separate-stderr dhsplit --from 250 late
    [ "$output" = '' ]
    [[ $stderr == *'late: no checkpoint at or before tick 250'* ]]
    # digests are no start
    sed 's/^checkpoint \([12]00\) - /checkpoint \1 digest /; /^checkpoint [12]00 [PG]/d; s/^\(checkpoint [12]00.*entities=.*\) \(rng\)/\1 digest=0x0000000000000000 \2/' demo >digests
    run -2 --separate-stderr dhsplit --from 250 digests
    [[ $stderr == *'digests alone'* ]]
    # a state that does not say how Ada stands is none either: the one before it is taken
    sed 's/^\(checkpoint 200 - entities=\)3/\12/; /^checkpoint 200 Pawn@7/d' demo >lost
    dhsplit --from 250 lost >out 2>err
    grep -q 'begins at the checkpoint at tick 100' err
    sed '/^checkpoint 100/d' lost >lost2
    run -2 --separate-stderr dhsplit --from 250 lost2
    [[ $stderr == *'no entity of the checkpoint holds the movement state of slot 0'* ]]
}

@test "beyond the end, before the start" {
    run -2 --separate-stderr dhsplit --from 311 demo
    [ "$output" = '' ]
    [[ $stderr == *'the stream ends at tick 310, before tick 311'* ]]
    run -2 --separate-stderr dhsplit --until 99 demo
    [[ $stderr == *'the stream starts at tick 100, after tick 99'* ]]
}

@test "--inputs: another run from the stream's start, and says so" {
    cat >want <<'END'
dhdm 1
header game=yard map=court rate=60 interval=100 start=100 fresh=1 rule.gravity=9.8
origin part=head hex=0x0d0a
resource role=pallet name=court.yard size=4096
join 100 0 wire=7 name=Ada pos=0,0,-1.5 hat=red
join 100 1 wire=9 name=Bob pos=5,5,5 hat=blue
input 100 0 push=3
input 100 1 push=4
leave 150 1
input 150 0 push=5
raw kind=77 hex=0xc0ffee
end 200 reason=split
END
    run -0 --separate-stderr dhsplit --inputs --from 200 --until 300 demo
    [[ $stderr == *'moved to tick 100: this is another run than the recorded one'* ]]
    printf '%s\n' "$output" >out
    valid out
    kinds out >got
    same got want
    # it takes no checkpoint
    sed '/^checkpoint/d' demo | dhsplit --inputs --from 200 --until 300 2>/dev/null | cmp - out
}

@test "--every: slices by number, each valid, their inputs all of them" {
    run -0 --separate-stderr dhsplit --every 100 -o 's%02d.dh' demo
    [ "$output" = '' ]
    [ "$(echo s??.dh)" = 's00.dh s01.dh s02.dh' ]
    for f in s??.dh; do
        valid "$f"
    done
    dhsplit --until 200 demo | cmp - s00.dh
    dhsplit --from 200 --until 300 demo 2>/dev/null | cmp - s01.dh
    dhsplit --from 300 demo 2>/dev/null | cmp - s02.dh
    grep -h ^input s*.dh >got
    grep ^input demo >want
    same got want

    # with checkpoints in other places slices overlap, each from the one before its first tick
    dhsplit -b --every 60 -o 'b%d' demo 2>err
    [ "$(echo b?)" = 'b0 b1 b2 b3 b4' ]
    for i in 0 1 2 3 4; do
        from=$((i == 0 ? 100 : 60 + 60 * i))
        dhsplit --from $from --until $((120 + 60 * i)) demo 2>/dev/null >want
        dhcat "b$i" >got
        same got want
    done
    [ "$(grep -c 'begins at the checkpoint' err)" = 4 ]

    dhsplit --inputs --every 150 --from 150 --until 310 -o 'i%d' demo 2>/dev/null
    [ "$(echo i?)" = 'i0 i1' ]
    grep -qx 'input 100 0 push=2' i0
    grep -qx 'input 150 0 push=3' i0
    [ "$(tail -n 1 i0)" = 'end 250 reason=split' ]
    [ "$(tail -n 1 i1)" = 'end 110 reason=split' ]
}

@test "truncated input: status 1, no end" {
    # in every byte of a binary stream
    dhcat -b demo >demo.bin
    size=$(wc -c <demo.bin)
    for n in $(seq 9 $((size / 40)) $((size - 1))); do
        head -c "$n" demo.bin >short
        got=0
        dhsplit --from 200 short >out 2>err || got=$?
        [ $got = 1 ]
        lacks ^end out
        got=0
        dhsplit --until 150 short >out 2>err || got=$?
        [ $got = 1 ]
        lacks ^end out
    done
}

@test "several streams in one input" {
    cat demo demo >two
    dhsplit --from 300 two 2>/dev/null >out
    [ "$(grep -c '^dhdm 1$' out)" = 2 ]
    [ "$(grep -c '^end 310' out)" = 2 ]
    dhsplit --every 100 -o 't%d' two 2>/dev/null
    [ "$(echo t[0-9])" = 't0 t1 t2 t3 t4 t5' ]
    cmp t0 t3
}

@test "the wait for a checkpoint does not live in memory" {
    # a megabyte is kept, the rest is in a file
    awk 'BEGIN {
        print "dhdm 1\nschema input push:i8\nschema state rng:u8\nheader game=yard rate=60 start=0\njoin 0 0 wire=0 name=A"
        print "checkpoint 0 - entities=0 rng=1"
        for (t = 0; t < 300000; t++) print "input " t " 0 push=1"
        print "end 300000 reason=stop"
    }' >long
    dhsplit --from 299999 long 2>/dev/null >out
    [ "$(grep -c ^input out)" = 300000 ]
    dhsplit -b --from 299999 long 2>/dev/null | dhcat | cmp - out
    TMPDIR=$PWD/nowhere run -2 --separate-stderr dhsplit --from 299999 long
    [[ $stderr == *'temporary file'* ]]
}

@test "misuse" {
    for args in '--from x' '--from -1' '--until 4294967296' '--from 5 --until 5' '--from 6 --until 5' '--every 0 -o a%d' \
        '--every 5' '-o a%d' '--every 5 -o a' '--every 5 -o a%d%d' '--every 5 -o a%s' 'a b'; do
        # shellcheck disable=SC2086
        run -2 --separate-stderr dhsplit $args
        [[ $stderr == *'usage: dhsplit'* ]] || { echo "$args"; show; false; }
    done
}

@test "a full disk" {
    [ -e /dev/full ] || skip "no /dev/full here"
    run -2 bash -c 'dhsplit demo >/dev/full'
    ln -s /dev/full full0
    run -2 --separate-stderr dhsplit --every 1000 -o 'full%d' demo
    [[ $stderr == *full0* ]]
    run -2 --separate-stderr dhsplit --every 1000 -o 'no/such%d' demo
    [[ $stderr == *'no/such0'* ]]
}
