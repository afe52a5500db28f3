#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhdiff, on streams made here: what is a difference, how it is told, and every status.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

schemas() {
    cat <<'END'
dhdm 1
schema input push:i8
schema state map:str leveltime:u32 rng:u8
schema PlayerPawn position:vec3 yaw:f32 health:i32 target:ref
schema Door phase:fix angle:bam
END
}

head_of() {
    schemas
    echo 'header game=yard rate=35 interval=300 start=120 fresh=1'
}

# A full state at a tick: SED edits its lines.
state() { # KIND TICK [SED]
    sed "s/^/$1 $2 /; ${3:-}" <<END
- entities=3 map=MAP07 leveltime=$2 rng=9
PlayerPawn@7 position=3.25,0,-1.5 yaw=0.5 health=100 target=Door@12
PlayerPawn@8 position=1,2,3 yaw=1 health=50 target=-
Door@12 phase=0.25 angle=0x00000000
END
}

# A recording and its replay in one stream, states at 120, 300, 600, 900 and 1020. EDIT is a sed script for the snapshot
# at tick AT.
recording() { # [AT [EDIT]]
    local t
    head_of
    for t in 120 300 600 900 1020; do
        state checkpoint $t
        if [ "$t" = "${1:-}" ]; then
            state snapshot "$t" "${2:-}"
        else
            state snapshot "$t"
        fi
        echo "input $t 0 push=1"
    done
    echo 'end 1020 reason=stop'
}

# One kind of states alone, as the other files that two operands compare.
only() { # KIND < FILE
    grep -vE "^($([ "$1" = checkpoint ] && echo snapshot || echo checkpoint)) "
}

summary() { # after run: the last line
    echo "${lines[${#lines[@]} - 1]}"
}

@test "all equal" {
    recording >demo
    run -0 --separate-stderr dhdiff demo
    [ "$output" = 'demo: replayed 900 tick(s) to 1020, checked 5 checkpoint(s): all equal' ]
    [ "$stderr" = '' ]
    run -0 bash -c 'dhdiff <demo; dhdiff - <demo; dhcat -b demo | dhdiff'
    [ "${#lines[@]}" = 3 ]
    run -0 dhdiff -q demo
    [ "$output" = '' ]
    only snapshot <demo >new
    only checkpoint <demo >golden
    run -0 dhdiff new golden
    [ "$output" = 'demo: replayed 900 tick(s) to 1020, checked 5 state(s): all equal' ]
    run -0 bash -c 'dhdiff - golden <new; dhdiff new - <golden; dhdiff golden new; dhdiff golden golden; dhdiff new demo'
    [ "${#lines[@]}" = 5 ]
}

@test "the report's form" {
    recording 900 '2s/3.25/3.2500002/' >demo
    run -3 --separate-stderr dhdiff demo
    [ "${lines[0]}" = 'DIVERGED tick 900 PlayerPawn@7 position: recorded (3.25, 0, -1.5), replayed (3.2500002, 0, -1.5) delta (2.3841858E-07, 0, 0) (MAP07 0:00:25.71)' ]
    [ "${lines[1]}" = 'still equal at tick 900: state, Door' ]
    [ "${lines[2]}" = 'demo: replayed 900 tick(s) to 1020, checked 5 checkpoint(s): DIVERGED at tick 900 PlayerPawn@7 position, 1 of 5 differ' ]
    [ "${#lines[@]}" = 3 ]
    run -3 dhdiff -q demo
    [ "$output" = '' ]
}

# What the checker must not miss: the first, a middle and the last state.
@test "the first, a middle and the last state edited" {
    for at in 120 600 1020; do
        recording $at '4s/phase=0.25/phase=0.5/' >demo
        run -3 dhdiff demo
        [[ ${lines[0]} == "DIVERGED tick $at Door@12 phase: recorded 0.25, replayed 0.5 delta 0.25 "* ]]
        [[ $(summary) == *", checked 5 checkpoint(s): DIVERGED at tick $at Door@12 phase, 1 of 5 differ" ]]
        only snapshot <demo >new
        only checkpoint <demo >golden
        run -3 dhdiff new golden
        [[ ${lines[0]} == "DIVERGED tick $at Door@12 phase: recorded 0.25, replayed 0.5 delta 0.25 "* ]]
        # the checkpoint is the recorded side wherever it stands
        run -3 dhdiff golden new
        [[ ${lines[0]} == "DIVERGED tick $at Door@12 phase: recorded 0.25, replayed 0.5 delta 0.25 "* ]]
        # and the second operand where both are alike
        sed 's/^snapshot/checkpoint/' new >new2
        run -3 dhdiff golden new2
        [[ ${lines[0]} == "DIVERGED tick $at Door@12 phase: recorded 0.5, replayed 0.25 delta -0.25 "* ]]
    done
}

@test "a state removed on either side" {
    recording >demo
    only snapshot <demo >new
    only checkpoint <demo >golden
    for at in 120 600 1020; do
        grep -v "^snapshot $at " demo >less
        run -1 dhdiff less
        [ "${lines[0]}" = "ALONE tick $at: recorded, not replayed" ]
        [[ $(summary) == *'checked 4 checkpoint(s): all equal; 1 state(s) without a partner' ]]
        grep -v "^snapshot $at " new >less
        run -1 dhdiff less golden
        [ "${lines[0]}" = "ALONE tick $at: recorded, not replayed" ]
        grep -v "^checkpoint $at " golden >less
        run -1 dhdiff new less
        [ "${lines[0]}" = "ALONE tick $at: replayed, not recorded" ]
        [[ $(summary) == *'checked 4 state(s): all equal; 1 state(s) without a partner' ]]
        # what --every adds to a replay needs no checkpoint
        grep -v "^checkpoint $at " demo >less
        run -0 dhdiff less
        [[ $(summary) == *'checked 4 checkpoint(s): all equal' ]]
    done
}

@test "nothing to compare, an empty stream, one without an end" {
    recording >demo
    for kind in snapshot checkpoint; do
        only $kind <demo >half
        run -1 dhdiff half
        [[ $(summary) == *'checked 0 checkpoint(s): nothing to compare'* ]]
    done
    : >empty
    run -1 --separate-stderr dhdiff empty
    [[ $stderr == *empty* ]]
    run -1 dhdiff demo empty
    run -1 dhdiff empty demo
    { head_of && echo 'end 120 reason=stop'; } >none
    run -1 dhdiff none
    run -1 dhdiff none none
    run -1 dhdiff none demo

    sed '$d' demo >short
    run -1 --separate-stderr dhdiff short
    [[ $output == *'checked 5 checkpoint(s): all equal; incomplete' ]]
    [[ $stderr == *'short: truncated'* ]]
    run -1 dhdiff short demo
    run -1 dhdiff demo short
    # what was found before it broke off counts for more
    recording 300 '4s/0.25/0.5/' | sed '$d' >short
    run -3 dhdiff short
    # of the ticks beyond nothing is known: no state is called missing
    head -n 20 demo >short
    run -1 --separate-stderr dhdiff short demo
    [[ $output != *ALONE* ]]
    run -1 --separate-stderr dhdiff demo short
    [[ $output != *ALONE* ]]
}

@test "corrupt input: status 2, before a divergence" {
    recording 300 '4s/0.25/0.5/' | sed 's/^end.*/nonsense/' >bad
    run -2 --separate-stderr dhdiff bad
    [[ $stderr == *bad:* ]]
    recording >demo
    run -2 dhdiff demo bad
    run -2 dhdiff bad demo
    run -2 dhdiff no/such demo
    run -2 dhdiff demo no/such
}

@test "every type of value, and its delta" {
    # TYPE RECORDED REPLAYED TOLD
    while read -r type a b told; do
        { printf 'dhdm 1\nschema state x:%s\nheader game=yard rate=1 start=0\n' "$type"
          printf '%s 0 - entities=0 x=%s\n' checkpoint "$a" snapshot "$b"
          echo 'end 0 reason=stop'; } >demo
        run -3 --separate-stderr dhdiff demo
        [ "${lines[0]}" = "DIVERGED tick 0 - x: $told" ] || { show; echo "want $told"; false; }
    done <<'END'
i8 -128 127 recorded -128, replayed 127 delta 255
u8 255 0 recorded 255, replayed 0 delta -255
i16 5 -5 recorded 5, replayed -5 delta -10
i64 -9223372036854775808 9223372036854775807 recorded -9223372036854775808, replayed 9223372036854775807 delta 18446744073709551615
u64 18446744073709551615 0 recorded 18446744073709551615, replayed 0 delta -18446744073709551615
f32 3.25 3.2500002 recorded 3.25, replayed 3.2500002 delta 2.3841858E-07
f32 0 -0 recorded 0, replayed -0 delta -0
f32 1 inf recorded 1, replayed inf
f32 nan:7fc00000 nan:7fc00001 recorded nan:7fc00000, replayed nan:7fc00001
f64 1 1.5 recorded 1, replayed 1.5 delta 0.5
vec3 1,2,3 1,2,4 recorded (1, 2, 3), replayed (1, 2, 4) delta (0, 0, 1)
quat 0,0,0,1 0,0,1,1 recorded (0, 0, 0, 1), replayed (0, 0, 1, 1) delta (0, 0, 1, 0)
fix -32768 32767.9999847412109375 recorded -32768, replayed 32767.9999847412109375 delta 65535.9999847412109375
fix 1 0.5 recorded 1, replayed 0.5 delta -0.5
bam 0x00000001 0xffffffff recorded 0x00000001, replayed 0xffffffff delta -0x2
bam 0xffffffff 0x0000000f recorded 0xffffffff, replayed 0x0000000f delta 0x10
hex32 0x00000001 0x00000002 recorded 0x00000001, replayed 0x00000002
flags8(a,b) a a,b recorded a, replayed a,b
enum8(sad,glad) sad glad recorded sad, replayed glad
str one two recorded one, replayed two
bytes 0x00 0x0001 recorded 0x00, replayed 0x0001
END
}

# A state that holds a NaN proves nothing, even where the other side has the same one.
@test "a NaN is a difference" {
    recording >plain
    sed 's/yaw=0.5/yaw=nan:7fc00001/' plain >demo
    run -3 dhdiff demo
    [[ ${lines[0]} == 'DIVERGED tick 120 PlayerPawn@7 yaw: recorded nan:7fc00001, replayed nan:7fc00001 ('* ]]
    sed 's/3.25,0/3.25,nan:7fc00001/' plain >demo
    run -3 dhdiff demo
    run -0 dhdiff --ignore position demo
}

@test "entities: missing, extra, in another order, references" {
    recording 600 '3d; s/entities=3/entities=2/' >demo
    run -3 dhdiff demo
    [[ ${lines[0]} == 'DIVERGED tick 600 PlayerPawn@8: recorded, not replayed ('* ]]
    [ "${lines[1]}" = 'still equal at tick 600: state, Door' ]

    recording 600 '4a snapshot 600 Door@13 phase=1 angle=0x00000000' >edited
    sed '/^snapshot 600 -/s/entities=3/entities=4/' edited >demo
    run -3 dhdiff demo
    [[ ${lines[0]} == 'DIVERGED tick 600 Door@13: replayed, not recorded ('* ]]

    # the order of entities is no state
    recording 600 '4d; s/^\(.* - .*\)$/\1\nsnapshot 600 Door@12 phase=0.25 angle=0x00000000/' >demo
    [ "$(grep -A1 '^snapshot 600 -' demo | tail -n 1)" = 'snapshot 600 Door@12 phase=0.25 angle=0x00000000' ]
    run -0 dhdiff demo

    recording 600 '2s/target=.*/target=PlayerPawn@12/' >demo
    run -3 dhdiff demo
    [[ ${lines[0]} == 'DIVERGED tick 600 PlayerPawn@7 target: recorded Door@12, replayed PlayerPawn@12 ('* ]]
    recording 600 '2s/target=.*/target=-/' >demo
    run -3 dhdiff demo

    # types are matched by name, whatever their numbers are
    recording >demo
    only snapshot <demo >new
    only checkpoint <demo | awk '/^schema PlayerPawn/ { keep = $0; next } { print } /^schema Door/ { print keep }' >golden
    run -0 dhdiff new golden
    run -0 dhdiff --by-order new golden
}

@test "--by-order: ids do not matter, places do" {
    recording >demo
    only snapshot <demo >new
    only checkpoint <demo | sed 's/PlayerPawn@8/PlayerPawn@80/; s/Door@12/Door@3/' >golden
    run -3 dhdiff new golden
    run -0 dhdiff --by-order new golden
    # a reference is to a place then
    sed 's/target=Door@3/target=PlayerPawn@80/' golden >other
    run -3 dhdiff --by-order new other
    [[ ${lines[0]} == *'PlayerPawn@7 target: recorded PlayerPawn@80, replayed Door@12 '* ]]
    sed 's/target=Door@3/target=PlayerPawn@7/; s/target=-/target=PlayerPawn@80/' golden >golden2
    sed 's/target=Door@12/target=PlayerPawn@7/; s/target=-/target=PlayerPawn@8/' new >new2
    run -0 dhdiff --by-order new2 golden2
    # an entity more, of a kind
    sed '/^checkpoint 900 -/s/entities=3/entities=4/; /^checkpoint 900 Door/i checkpoint 900 PlayerPawn@90 position=0,0,0 yaw=0 health=0 target=-' golden >bigger
    run -3 dhdiff --by-order new bigger
    [[ ${lines[0]} == 'DIVERGED tick 900 PlayerPawn@90: recorded, not replayed ('* ]]
}

@test "--all: a line for every differing field" {
    recording 600 '2s/yaw=0.5 health=100/yaw=0.25 health=99/; s/rng=9/rng=8/; 4s/0.25/0.5/' | sed '/^snapshot 1020/s/rng=9/rng=10/' >demo
    run -3 dhdiff --all demo
    cat >want <<'END'
DIVERGED tick 600 - rng: recorded 9, replayed 8 delta -1 (MAP07 0:00:17.14)
DIVERGED tick 600 PlayerPawn@7 yaw: recorded 0.5, replayed 0.25 delta -0.25 (MAP07 0:00:17.14)
DIVERGED tick 600 PlayerPawn@7 health: recorded 100, replayed 99 delta -1 (MAP07 0:00:17.14)
DIVERGED tick 600 Door@12 phase: recorded 0.25, replayed 0.5 delta 0.25 (MAP07 0:00:17.14)
still equal at tick 600: nothing
DIVERGED tick 1020 - rng: recorded 9, replayed 10 delta 1 (MAP07 0:00:29.14)
still equal at tick 1020: Door, PlayerPawn
demo: replayed 900 tick(s) to 1020, checked 5 checkpoint(s): DIVERGED at tick 600 - rng, 2 of 5 differ
END
    printf '%s\n' "$output" >got
    same got want
}

@test "--only and --ignore" {
    recording 600 '2s/yaw=0.5/yaw=0.25/; s/rng=9/rng=8/' >demo
    run -3 dhdiff demo
    run -3 dhdiff --only yaw demo
    [[ ${lines[0]} == 'DIVERGED tick 600 PlayerPawn@7 yaw'* ]]
    [[ $(summary) == *'; compared 1 of 9 fields' ]]
    run -3 dhdiff --only rng,phase demo
    [[ ${lines[0]} == 'DIVERGED tick 600 - rng'* ]]
    run -0 dhdiff --only PlayerPawn.position,Door.* demo
    [[ $(summary) == *'all equal; compared 3 of 9 fields' ]]
    run -3 dhdiff --ignore yaw demo
    run -0 dhdiff --ignore state.rng,PlayerPawn.yaw demo
    [[ $(summary) == *'all equal; compared 7 of 9 fields' ]]
    run -3 dhdiff --only rng,yaw --ignore rng demo
    [[ ${lines[0]} == 'DIVERGED tick 600 PlayerPawn@7 yaw'* ]]
    # entities of which nothing is looked at may be missing
    recording 600 '3d; s/entities=3/entities=2/' >demo
    run -0 dhdiff --only Door.phase demo
    run -0 dhdiff --ignore 'PlayerPawn.*' demo
    run -3 dhdiff --ignore PlayerPawn.yaw demo
    # a name that no state has would compare nothing
    for what in --only --ignore; do
        run -2 --separate-stderr dhdiff $what yaww demo
        [[ $stderr == *"no state has a field 'yaww'"* ]]
        run -2 dhdiff $what yaw, demo
        run -2 dhdiff $what Door.yaw demo
    done
}

@test "field sets that differ are compared where they meet" {
    recording >demo
    only snapshot <demo >new
    only checkpoint <demo | sed '/^schema/s/ health:i32//; s/ health=[0-9]*//; /^schema/s/ phase:fix/ phase:f32/; s/ rng:u8/ rng:u8 mood:u8/' >golden
    run -0 dhdiff new golden
    [[ $(summary) == *'all equal; compared 7 of 10 fields' ]]
    sed 's/rng=9/rng=7/' golden >golden2
    run -3 dhdiff new golden2
    [[ $(summary) == *'; compared 7 of 10 fields' ]]
    # nothing meets: nothing is compared
    { printf 'dhdm 1\nschema state mood:u8\nheader game=yard rate=35 start=120\n'
      for t in 120 300 600 900 1020; do echo "checkpoint $t - entities=0"; done
      echo 'end 1020 reason=stop'; } >strange
    run -1 dhdiff new strange
    [[ $(summary) == *'checked 0 state(s): nothing to compare; compared 0 of 10 fields; 5 state(s) that do not compare' ]]
}

@test "snapshots with schemas of their own" {
    { sed -n '1,5p' < <(schemas)
      echo 'schema snapshot.state map:str leveltime:u32 rng:u8 mood:u8'
      echo 'schema snapshot.Door phase:fix'
      recording | sed '1,5d'; } | sed '/^snapshot/s/ angle=0x00000000//' >demo
    run -0 dhdiff demo
    [[ $(summary) == *'all equal; compared 8 of 10 fields' ]]
    sed '/^snapshot 600/s/phase=0.25/phase=0.5/' demo >demo2
    run -3 dhdiff demo2
    [[ ${lines[0]} == 'DIVERGED tick 600 Door@12 phase'* ]]
}

@test "digests" {
    [ -e "$DATA/sample.dh-text" ]
    # its checkpoint is full, its snapshot digests
    grep -vE '^checkpoint 0' "$DATA/sample.dh-text" >demo
    run -0 dhdiff demo
    [[ $(summary) == *'checked 1 checkpoint(s): all equal' ]]
    sed '/^checkpoint 2/{s/open=1/open=0.5/; s/ digest=0x[0-9a-f]*//}' demo >demo2
    run -3 dhdiff demo2
    [[ ${lines[0]} == 'DIVERGED tick 2 Gate digest: recorded 0x'*', replayed 0xf2b13164b3f856ce' ]]
    [ "${lines[1]}" = 'still equal at tick 2: state, Ball' ]
    sed 's/digest.Gate=1:/digest.Gate=2:/' demo >demo2
    run -3 dhdiff demo2
    [ "${lines[0]}" = 'DIVERGED tick 2 Gate entities: recorded 1, replayed 2 delta 1' ]
    sed '/^snapshot 2/s/ rng=3/ rng=4/' demo >demo2
    run -3 dhdiff demo2
    [ "${lines[0]}" = 'DIVERGED tick 2 - rng: recorded 3, replayed 4 delta 1' ]
    sed '/^snapshot 2/s/ digest=0x5/ digest=0x6/' demo >demo2
    run -3 dhdiff demo2
    [[ ${lines[0]} == 'DIVERGED tick 2 - digest: recorded 0x5bb121b79b302c58, replayed 0x6bb121b79b302c58' ]]
    # both sides digests
    run -0 dhdiff demo demo
    sed 's/digest.Ball=1:0x3/digest.Ball=1:0x4/' demo >demo2
    run -3 dhdiff demo demo2
    [[ ${lines[0]} == 'DIVERGED tick 2 Ball digest: recorded 0x4'*', replayed 0x3'* ]]
    # a filter cannot look into one, but it can leave a type or the state line alone
    run -2 --separate-stderr dhdiff --ignore open,pos demo
    [[ $stderr == *'no field can be left out of a digest'* ]]
    run -2 dhdiff --only pos demo
    sed '/^snapshot 2/s/ rng=3/ rng=4/' demo >demo2
    run -0 dhdiff --ignore rng demo2
    sed 's/digest.Gate=1:0xf/digest.Gate=1:0xe/' demo >demo2
    run -0 dhdiff --only rng demo2
    run -0 dhdiff --ignore 'Gate.*' demo2
    run -3 dhdiff --only open demo2
}

@test "a restored checkpoint is neither compared nor missing" {
    recording | sed '/^snapshot 120/d' >plain
    run -1 dhdiff plain
    sed '/^header/a event 120 restored' plain >demo
    run -0 dhdiff demo
    [[ $(summary) == *'checked 4 checkpoint(s): all equal' ]]
    # where that is all there is, nothing was compared
    { sed -n '/^dhdm/,/^event/p' demo && state checkpoint 120 && echo 'end 120 reason=stop'; } >one
    run -1 dhdiff one
    [[ $(summary) == *'checked 0 checkpoint(s): nothing to compare' ]]
    run -0 dhdiff demo demo
    [[ $(summary) == *'checked 4 state(s): all equal' ]]
    run -1 dhdiff one one
}

@test "--tap" {
    recording 600 '4s/0.25/0.5/' | grep -v '^snapshot 900' >demo
    run -3 dhdiff --tap demo
    cat >want <<'END'
ok 1 - tick 120
ok 2 - tick 300
not ok 3 - tick 600
# DIVERGED tick 600 Door@12 phase: recorded 0.25, replayed 0.5 delta 0.25 (MAP07 0:00:17.14)
not ok 4 - tick 900: recorded, not replayed
ok 5 - tick 1020
# demo: replayed 900 tick(s) to 1020, checked 4 checkpoint(s): DIVERGED at tick 600 Door@12 phase, 1 of 4 differ; 1 state(s) without a partner
1..5
END
    printf '%s\n' "$output" >got
    same got want
    only checkpoint <demo >half
    run -1 bash -c 'dhdiff --tap half | tail -n 1; dhdiff --tap half >/dev/null'
    [ "$output" = '1..5' ]
    { head_of && echo 'end 120 reason=stop'; } >none
    run -1 dhdiff --tap none
    [ "${lines[0]}" = 'not ok 1 - nothing to compare' ]
    recording | sed '$d' >short
    run -1 --separate-stderr dhdiff --tap short
    [[ $output == *'not ok 6 - the input ended early'*'1..6' ]]
}

@test "--bisect" {
    recording >demo
    run -0 dhdiff --bisect demo
    recording 600 '4s/0.25/0.5/' >bad
    run -1 dhdiff --bisect bad
    only checkpoint <demo >half
    run -125 dhdiff --bisect half
    run -125 dhdiff --bisect no/such
    run -125 bash -c 'sed s/^end.*/x/ demo | dhdiff --bisect'
}

@test "several streams: pair by pair, the worst status" {
    recording >demo
    recording 600 '4s/0.25/0.5/' >bad
    cat demo bad demo >three
    run -3 dhdiff three
    [ "$(grep -c '^demo: ' <<<"$output")" = 3 ]
    [[ $(summary) == *'all equal' ]]
    cat demo demo demo >golden
    run -0 dhdiff golden golden
    [ "${#lines[@]}" = 3 ]
    cat demo demo >two
    run -1 --separate-stderr dhdiff golden two
    [[ $stderr == *'golden: has more streams than two'* ]]
    run -1 --separate-stderr dhdiff two golden
    [[ $stderr == *'golden: has more streams than two'* ]]
}

@test "many entities in another order take no longer than they should" {
    awk 'BEGIN {
        print "dhdm 1\nschema Imp health:i32\nheader game=yard rate=35 start=0"
        print "checkpoint 0 - entities=40000"
        for (i = 0; i < 40000; i++) print "checkpoint 0 Imp@" i " health=" i % 100
        print "snapshot 0 - entities=40000"
        for (i = 39999; i >= 0; i--) print "snapshot 0 Imp@" i " health=" i % 100
        print "end 0 reason=stop"
    }' >demo
    run -0 timeout 20 dhdiff demo
}

@test "misuse" {
    recording >demo
    for args in 'demo demo demo' '- -' '--all --tap' '--only'; do
        # shellcheck disable=SC2086
        run -2 --separate-stderr dhdiff $args
        [[ $stderr == *'usage: dhdiff'* ]] || { echo "$args"; show; false; }
    done
}

@test "a full disk" {
    [ -e /dev/full ] || skip "no /dev/full here"
    recording >demo
    run -2 bash -c 'dhdiff demo >/dev/full'
}

@test "two streams whose runs were given other things say so before any state" {
    sha() { printf 0x && printf "$1%.0s" {1..64}; }
    short() { printf "$1%.0s" {1..16}; }
    stream() { # SETTINGS RULES MAP CLOSURE RESOURCE...
        echo 'dhdm 1'
        echo 'schema rule skill:u8 speed:fix'
        echo 'schema option port:str dhsim.nodeh:str'
        echo 'schema state rng:u8'
        # shellcheck disable=SC2086
        echo header game=yard ${3:+map=$3} ${4:+closure=$4} rate=35 start=0 fresh=1 $2 $1
        [ $# = 4 ] || printf 'resource %s\n' "${@:5}"
        echo 'snapshot 0 - entities=0 rng=1'
        echo 'end 0 reason=stop'
    }
    replayed() { stream option.port=A rule.skill=3 MAP01 aa "role=iwad name=a.wad size=1 sha256=$(sha 1)" "role=pwad name=b.wad size=1 sha256=$(sha 2)"; }
    told() { # LINES... < RECORDED
        cat >recorded
        replayed >replay
        run -0 dhdiff replay recorded
        same <(head -n -1 <<<"$output") <([ $# = 0 ] || printf 'SETUP %s\n' "$@")
        [[ $(tail -n 1 <<<"$output") == *'checked 1 state(s): all equal' ]]
        run -0 dhdiff --tap replay recorded
        same <(grep SETUP <<<"$output" || true) <([ $# = 0 ] || printf '# SETUP %s\n' "$@")
        run -0 dhdiff -q replay recorded
        [ -z "$output" ]
    }
    local a b
    a="role=iwad name=a.wad size=1 sha256=$(sha 1)"
    b="role=pwad name=b.wad size=1 sha256=$(sha 2)"
    replayed | told
    # what was recorded of the demo is no matter, a setting is
    stream option.port=B rule.skill=3 MAP01 aa "$a" "$b" | told
    stream option.dhsim.nodeh=1 rule.skill=3 MAP01 aa "$a" "$b" | told 'option.dhsim.nodeh: recorded 1, replayed -'
    stream option.port=A rule.skill=3 MAP01 aa "$a" "$b" | sed 's/ dhsim.nodeh:str//' | told
    stream 'option.dhsim.new=a\054b' rule.skill=3 MAP01 aa "$a" "$b" | sed 's/dhsim.nodeh:str/dhsim.new:str/' |
        told 'option.dhsim.new: recorded a\054b, replayed -'
    # files: others, another order, one too few; or what they are together
    stream option.port=A rule.skill=3 MAP01 bb "$a" "${b/sha256=*/sha256=$(sha 3)}" |
        told "resource 2: recorded pwad b.wad $(short 3), replayed pwad b.wad $(short 2)"
    stream option.port=A rule.skill=3 MAP01 bb "$b" "$a" |
        told "resource 1: recorded pwad b.wad $(short 2), replayed iwad a.wad $(short 1)" \
            "resource 2: recorded iwad a.wad $(short 1), replayed pwad b.wad $(short 2)"
    stream option.port=A rule.skill=3 MAP01 bb "$a" | told "resource 2: recorded -, replayed pwad b.wad $(short 2)"
    stream option.port=A rule.skill=3 MAP01 bb "$a" "$b" | told 'closure: recorded bb, replayed aa'
    # of a recording that names none nothing is known
    stream option.port=A rule.skill=3 '' '' | told
    # map and rules, those that both have
    stream option.port=A rule.skill=3 MAP02 aa "$a" "$b" | told 'map: recorded MAP02, replayed MAP01'
    stream option.port=A 'rule.skill=4 rule.speed=1.5' MAP01 aa "$a" "$b" |
        told 'rule.skill: recorded 4, replayed 3' 'rule.speed: recorded 1.5, replayed 0'
    stream option.port=A 'rule.skill=4 rule.fast=1.5' MAP01 aa "$a" "$b" | sed 's/speed:fix/fast:fix/' |
        told 'rule.skill: recorded 4, replayed 3'
}
