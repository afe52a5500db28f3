#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The dh world through the pipeline: pallets, replays, where they part. The mover by numbers is tests/unit/native.c.

# shellcheck disable=SC2154,SC2016 # run sets stderr; sed scripts and messages stand in single quotes

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset DHPATH
    pallets=$DATA/pallets
}

# A session of the four scripted players in the yard.
session() { # [natrec's options]
    natrec --pallet "$pallets" --script "$DATA/yard.players" --ticks 960 "$@"
}

sim() { # [dhsim's options]
    dhsim --pallet "$pallets" "$@"
}

# ---- replaying -------------------------------------------------------------------------------------------------------

@test "a session of four players, through doors, plates, props and ramps" {
    session --interval 60 >demo
    for what in 'door=21 state=open' 'door=26 state=open' 'door=28 state=closed' 'door=31 state=open' 'plate=34 state=pressed'; do
        grep -q "^event .* $what" demo
    done
    sim demo >out
    run -0 dhdiff out
    [ "$output" = 'demo: replayed 960 tick(s) to 960, checked 17 checkpoint(s): all equal' ]
    # the world tells what happened as the recorder was told
    diff <(grep '^event' demo) <(grep '^event' out)
    # the same in binary, and again
    dhcat -b demo | sim -b | dhcat >again
    same again out
    sim out >again
    same again out
}

@test "ten thousand ticks of bots" {
    natrec -b --pallet "$pallets" --bots 8 --seed 3 --ticks 10000 >demo
    run_pipe -0 "dhsim --pallet '$pallets' -b demo | dhdiff"
    [ "$output" = 'demo: replayed 10000 tick(s) to 10000, checked 34 checkpoint(s): all equal' ]
    # nobody falls out of the yard
    sim --every 100 demo | grep '^snapshot .* PlayerPawn@' | sed 's/.* position=\([^ ]*\) .*/\1/' | tr , ' ' |
        awk '{ if ($1 < -19.71 || $1 > 19.71 || $2 < -0.001 || $2 > 8 || $3 < -19.71 || $3 > 19.71) exit 1 }'
}

@test "from every checkpoint it goes on as from the start" {
    session --interval 60 >demo
    sim demo | grep '^snapshot' | sed 's/ digest=[^ ]*//' >whole
    for from in $(seq 60 60 900); do
        dhsplit --from "$from" demo 2>/dev/null >slice
        sim slice >out
        grep -qx "event $from restored" out
        run -0 dhdiff out
        [[ $output == *"checked $(((960 - from) / 60)) checkpoint(s): all equal" ]]
        grep '^snapshot' out | sed 's/ digest=[^ ]*//' >part
        same part <(awk -v from="$from" '$2 > from' whole)
    done
}

@test "a recording that began while a door was half open" {
    session --start 230 --interval 60 >demo
    grep -q '^header .* start=230 ' demo
    grep -q '^checkpoint 230 Door@21 phase=0.3' demo
    sim demo >out
    grep -qx 'event 230 restored' out
    run ! grep -q '^snapshot 230 ' out
    run -0 dhdiff out
    [ "$output" = 'demo: replayed 730 tick(s) to 960, checked 13 checkpoint(s): all equal' ]
    # installed anew, the door is shut: that is said at the opening checkpoint
    sim --fresh demo >out
    run -3 dhdiff out
    [[ ${lines[0]} == 'DIVERGED tick 230 Door@21 phase: recorded 0.3'*', replayed 0 delta -0.3'* ]]
    [[ $output == *'DIVERGED at tick 230 Door@21 phase'* ]]
}

@test "--until, --every, --window, --checkpoint" {
    session --interval 60 >demo
    sim --until 500 demo >out
    [ "$(tail -n 1 out)" = 'end 500 reason=until' ]
    run -0 dhdiff out
    [[ $output == *'replayed 500 tick(s) to 500, checked 9 checkpoint(s): all equal' ]]
    sim --every 1 demo | grep -c '^snapshot [0-9]* -' >n
    [ "$(cat n)" = 961 ]
    # states every tick as checkpoints: each of them can start a replay
    sim --every 1 --checkpoint demo >fine
    run_pipe -0 "dhsplit --from 333 fine 2>/dev/null | dhsim --pallet '$pallets' | dhdiff"
    [[ $output == *'checked 627 checkpoint(s): all equal' ]]
}

@test "a map switch ends the recording" {
    session | sed 's/^end 960 reason=stop/end 960 reason=map-switch/' >demo
    sim demo >out
    [ "$(tail -n 1 out)" = 'end 960 reason=map-switch' ]
    dhdiff -q out
}

# ---- parting ---------------------------------------------------------------------------------------------------------

# What dhdiff says of streams that flipbits made is what flipbits did, line by line: tick, entity, field, both values.
flips() { # STREAM STEP TICK...
    local stream=$1 step=$2
    shift 2
    flipbits -s "$step" list "$@" <"$stream" >flipped
    "${through[@]}" flipped >streams
    run -3 dhdiff streams
    sed -n 's/^DIVERGED tick \([0-9]*\) \([^ ]*\) \([^:]*\): recorded \(.*\), replayed \(.*\)/\1 \2 \3 \4 | \5/p' <<<"$output" |
        sed 's/ delta .*//; s/[()|]//g; s/, /,/g; s/  / /g' >got
    [ "$(wc -l <list)" -gt 100 ]
    same got list
}

@test "any single bit of the first, a middle and the last checkpoint" {
    natrec --pallet "$pallets" --bots 2 --seed 5 --ticks 600 --interval 100 | sim | grep -v '^input' >demo
    through=(cat)
    flips demo 1 0 300 600
    for field in position yaw pitch velocity groundNormal groundBody ticksSinceGrounded ticksSinceJump height eyeHeight \
        prevButtons flags slot phase state direction timer rotation pressed pawns props resting still; do
        grep -q " $field " list
    done
}

@test "flipped in the recording, found by the replay" {
    natrec --pallet "$pallets" --bots 2 --seed 5 --ticks 600 --interval 100 >demo
    through=(dhsim --pallet "$pallets")
    flips demo 61 0 300 600
}

@test "the report has the form that people know" {
    session --interval 60 >demo
    sed 's/^\(checkpoint 900 PlayerPawn@2 position=\)19.7,/\119.700003,/' demo >edited
    run ! cmp -s demo edited
    sim edited >out
    run -3 dhdiff out
    [ "${lines[0]}" = 'DIVERGED tick 900 PlayerPawn@2 position: recorded (19.700003, 0, -19.7), replayed (19.7, 0, -19.7) delta (-1.9073486E-06, 0, 0)' ]
    [[ $output == *'demo: replayed 960 tick(s) to 960, checked 17 checkpoint(s): DIVERGED at tick 900 PlayerPawn@2 position'* ]]
}

@test "missing and extra entities" {
    session --interval 480 >demo
    entities=$(grep -c '^checkpoint 480 .*@' demo)
    sed -e '/^checkpoint 480 Prop@37 /d' -e "s/^checkpoint 480 - entities=$entities digest=[^ ]*/checkpoint 480 - entities=$((entities - 1))/" demo >less
    sim less >out
    run -3 dhdiff out
    [ "${lines[0]}" = 'DIVERGED tick 480 Prop@37: replayed, not recorded' ]
    sed -e '/^checkpoint 480 Prop@37 /{p;s/@37/@99/}' -e "s/^checkpoint 480 - entities=$entities digest=[^ ]*/checkpoint 480 - entities=$((entities + 1))/" demo >more
    sim more >out
    run -3 dhdiff out
    [ "${lines[0]}" = 'DIVERGED tick 480 Prop@99: recorded, not replayed' ]
}

@test "one input's bit diverges at the first checkpoint that can show it" {
    session --interval 60 >demo
    # a look is a number of the player's state, whatever it does
    sed 's/^\(input 250 1 .*\) yaw=0.25/\1 yaw=0.25000003/; s/^\(input 250 0 \)/\1yaw=1E-45 /' demo >edited
    sim edited >out
    dhdiff out >/dev/null || true
    awk '/^input 299 0/ { sub(/299 0/, "299 0 yaw=1E-45") } { print }' demo >edited
    sim edited >out
    run -3 dhdiff out
    [[ ${lines[0]} == 'DIVERGED tick 300 PlayerPawn@1 yaw: recorded 0, replayed 1E-45'* ]]
    # and a press of jump moves it
    awk '/^input 241 0/ { $0 = $0 " buttons=jump" } { print }' demo >edited
    sim edited >out
    run -3 dhdiff out
    [[ ${lines[0]} == 'DIVERGED tick 300 PlayerPawn@1 ticksSinceJump: recorded 4294967295, replayed 58'* ]] ||
        [[ ${lines[0]} == 'DIVERGED tick 300 PlayerPawn@1 position'* ]]
    # another source of the same input is none
    sed 's/^\(input 250 0.*\)/\1 source=held/' demo >edited
    sim edited | dhdiff -q
}

# ---- starting points that contradict themselves ----------------------------------------------------------------------

# The message of a replay of the mid-session recording, edited.
refused() { # SED-SCRIPT MESSAGE
    sed "$1" mid >edited
    ! cmp -s mid edited || { echo "nothing edited: $1" && return 1; }
    run -2 --separate-stderr dhsim --pallet "$pallets" edited
    [[ $stderr == *"$2"* ]] || { show && return 1; }
}

@test "the opening checkpoint is checked against the joins, and against itself" {
    session --start 230 --interval 60 >mid
    refused 's/^\(join 230 0 .* position=1\)3/\14/' 'PlayerPawn@1: position: the checkpoint to start from and the join say different things'
    refused 's/^\(checkpoint 230 PlayerPawn@1 .*velocity=0,0,\)/\11/' 'PlayerPawn@1: velocity'
    refused 's/^\(checkpoint 230 Door@21 phase=0\).3/\1.4/' 'Door@21: position: not what follows from its phase'
    refused 's/^\(checkpoint 230 Door@21 .*rotation=0\),/\1.5,/' 'Door@21: rotation'
    refused 's/^\(checkpoint 230 Door@21 phase=\)[^ ]*/\17/' 'Door@21: phase, state or direction: out of range'
    refused 's/^\(checkpoint 230 Prop@\)37 /\19 /' 'Prop@9: in the checkpoint, and not in the map'
    refused 's/^\(checkpoint 230 Prop@\)37 /\136 /' 'Prop@36: in the checkpoint twice'
    refused 's/^\(checkpoint 230 Prop@37 .* groundBody=\)[^ ]*/\1999/' 'Prop@37: groundBody or resting: out of range'
    refused '/^join 230 3 /d' 'PlayerPawn@4: in the checkpoint, and without a join'
    refused 's/^\(checkpoint 230 PlayerPawn@4 .* height=\)[^ ]*/\1nan:7fc00000/' 'PlayerPawn@4: height: expected a finite number'
    refused 's/^\(join 230 3 .* groundBody=\)[^ ]*/\1500/' 'join of slot 3: groundBody: the map has no body 500'
    refused 's/^\(join 230 \)3 /\170 /' 'join of slot 70: expected a slot from 0 to 63'
    refused 's/^\(input 300 \)3 /\19 /' 'input of slot 9, which has not joined'
}

# ---- logs ------------------------------------------------------------------------------------------------------------

@test "--log: positions, ground, contacts, a census first; dhdiff passes over them" {
    session --interval 60 >demo
    sim demo >plain
    sim --log positions,ground,contacts demo >out
    same <(grep -v '^log ' out) plain
    dhdiff -q out
    grep -q '^log 0 contacts text=body:0;kind:box;line:3;center:0/-0.5/0;half:20/0.5/20;.*;surface:concrete;grip:1$' out
    [ "$(grep -c '^log 0 contacts text=body:' out)" = 38 ]
    grep -qx 'log 0 ground text=slopeCos:0.70710677;degrees:45;exact:yes' out
    grep -q '^log 100 positions text=PlayerPawn@1;position:.*;velocity:' out
    grep -q '^log 100 ground text=PlayerPawn@1;grounded:1;normal:0/1/0;body:40;ticksSinceGrounded:0$' out
    # Bob pushes the prop
    grep -q '^log 80 contacts text=PlayerPawn@2;body:35;shape:0;normal:0/0/1;separation:.*;push:0.0' out
    sim --log ground demo | grep '^log' | cut -d ' ' -f 3 | sort -u >topics
    [ "$(cat topics)" = ground ]
    # in binary and back
    sim -b --log contacts demo | dhcat | grep '^log' >got
    same got <(sim --log contacts demo | grep '^log')
    run -2 --separate-stderr dhsim --pallet "$pallets" --log positions,smells demo
    [[ $stderr == *"expected topics of positions, ground, contacts, found 'smells'"* ]]
}

@test "a slope limit that no degrees give is a note" {
    natrec --pallet "$pallets" --bots 1 --ticks 10 --rule slopeCos=0.3000001 >demo
    sim --log ground demo >out
    grep -q '^log 0 ground text=slopeCos:0.3000001;degrees:72.54.*;exact:no$' out
    dhdiff -q out
}

# ---- rules -----------------------------------------------------------------------------------------------------------

@test "the replay takes its rules from the header" {
    natrec --pallet "$pallets" --bots 2 --ticks 600 --rule gravity=3 --rule grip.wood=0.5 --rule jumpSpeed=6 >demo
    grep -q '^header .* rule.gravity=3 .* rule.grip.wood=0.5' demo
    sim demo | dhdiff -q
    sed 's/ rule.gravity=3 / rule.gravity=4 /' demo >edited
    run_pipe -3 "dhsim --pallet '$pallets' edited | dhdiff"
    sed 's/ rule.gravity=3 / rule.gravity=-4 /' demo >edited
    run -2 --separate-stderr dhsim --pallet "$pallets" edited
    [[ $stderr == *'rule gravity: expected a number from 0 to 1000'* ]]
    sed 's/ rule.grip.wood=0.5/ rule.grip.wood=-1/' demo >edited
    run -2 --separate-stderr dhsim --pallet "$pallets" edited
    [[ $stderr == *'rule grip.wood'* ]]
}

# ---- pallets ---------------------------------------------------------------------------------------------------------

@test "where pallets are found" {
    natrec --pallet "$pallets" --bots 1 --ticks 10 >demo
    dhsim --pallet "$pallets/yard" --pallet "$pallets/base" demo | dhdiff -q
    DHPATH=/nowhere::$pallets dhsim demo | dhdiff -q
    DHPATH=$pallets/base dhsim --pallet "$pallets/yard" demo | dhdiff -q
    run -2 --separate-stderr dhsim demo
    [[ $stderr == *'no pallet io.dh.yard in the folders of --pallet and DHPATH'* ]]
    run -2 --separate-stderr dhsim --pallet "$pallets/yard" demo
    [[ $stderr == *'pallet.dh: line 3: pallet io.dh.yard depends on io.dh.base: there is none'* ]]
    run -2 --separate-stderr dhsim --pallet nowhere demo
    [[ $stderr == *'nowhere: No such file or directory'* ]]
    # the first of an id is the one
    cp -r "$pallets" mine
    sed -i 's/version=1.2.0/version=1.9.9/' mine/base/pallet.dh
    run -0 --separate-stderr dhsim --pallet "$pallets" --pallet mine demo
    [ -z "$stderr" ]
    run -0 --separate-stderr dhsim --pallet mine --pallet "$pallets" demo
    [[ $stderr == *'warning: io.dh.base:pallet.dh: other content of the same size: sha256 '* ]]
}

@test "another closure is warned about, and the replay goes on" {
    session --interval 60 >demo
    cp -r "$pallets" mine
    echo '# a remark' >>mine/yard/maps/yard.dh-map
    run -0 --separate-stderr dhsim --pallet mine demo
    [[ $stderr == *'warning: io.dh.yard:maps/yard.dh-map: '*' bytes, recorded '* ]]
    dhsim --pallet mine demo 2>/dev/null | dhdiff -q
    # without resource records the hash alone tells
    grep -v '^resource' demo >bare
    run -0 --separate-stderr dhsim --pallet mine bare
    [[ $stderr == *"warning: the files' closure hash is "*', recorded '* ]]
    run -0 --separate-stderr dhsim --pallet "$pallets" bare
    [ -z "$stderr" ]
    # a map whose boxes are elsewhere diverges
    sed -i 's/^box center=0,-0.5,0 /box center=0,-0.4,0 /' mine/yard/maps/yard.dh-map
    run_pipe -3 "dhsim --pallet mine demo 2>/dev/null | dhdiff"
}

@test "the closure hash, by hand" {
    sum() { sha256sum | cut -d ' ' -f 1; }
    file() { echo "$2 $(sum <"$pallets/$1/$2")"; }
    base=$(file base pallet.dh | sum)
    yard=$({ file yard maps/yard.dh-map && file yard pallet.dh; } | sum)
    want=$(printf '%s\n' "io.dh.base 1.2.0 $base" "io.dh.yard 1.0.0 $yard" | sum)
    session --interval 60 >demo
    grep -q "^header .* closure=$want " demo
    sim demo | grep -q "^header .* closure=$want "
}

# The message of a replay with the sample's pallets, edited.
broken() { # FILE SED-SCRIPT MESSAGE
    rm -rf mine
    cp -r "$pallets" mine
    sed -i "$2" "mine/$1"
    run -2 --separate-stderr dhsim --pallet mine demo
    [[ $stderr == *"$3"* ]] || { show && return 1; }
}

@test "wrong pallets and maps" {
    natrec --pallet "$pallets" --bots 1 --ticks 10 >demo
    broken yard/pallet.dh 's/\^1.0.0/^2.0.0/' 'pallet io.dh.yard depends on io.dh.base ^2.0.0, found 1.2.0 in mine/base'
    broken yard/pallet.dh 's/\^1.0.0/1.0.0/' 'depends on io.dh.base 1.0.0, found 1.2.0'
    broken yard/pallet.dh 's/\^1.0.0/^1.3.0/' 'depends on io.dh.base ^1.3.0, found 1.2.0'
    broken yard/pallet.dh 's/\^1.0.0/newest/' 'line 3: version: expected *, MAJOR.MINOR.PATCH or ^MAJOR.MINOR.PATCH'
    broken yard/pallet.dh 's/^pallet/palet/' 'yard/pallet.dh: expected `pallet id=... version=...` as its first line'
    broken yard/pallet.dh 's/version=1.0.0/version=1/' 'line 2: version: expected MAJOR.MINOR.PATCH'
    broken yard/pallet.dh 's/id=io.dh.yard/id=..\/yard/' 'id: expected letters, digits'
    broken yard/pallet.dh '$a surprise id=x' "line 4: expected pallet, depends or surface, found 'surprise'"
    broken yard/pallet.dh '$a surface name=ice grip=1' "the surface 'ice' is there twice"
    broken yard/maps/yard.dh-map 's/surface=ice/surface=lava/' "no pallet of the closure has a surface 'lava'"
    broken yard/maps/yard.dh-map 's/^spawn/spwan/' "io.dh.yard:maps/yard.dh-map: line 10: expected box, spawn, door, plate or prop, found 'spwan'"
    rm mine/yard/maps/yard.dh-map
    run -2 --separate-stderr dhsim --pallet mine demo
    [[ $stderr == *'no map maps/yard.dh-map in it'* ]]
    for barcode in io.dh.yard:maps/none io.dh.yard io.dh.yard: :maps/yard io.dh.yard:yard 'io.dh.yard:maps/../../yard' 'io.dh.yard:maps//yard' ''; do
        sed "s|^\(header .*\) barcode=[^ ]*|\1 barcode=$barcode|" demo >edited
        run -2 --separate-stderr dhsim --pallet "$pallets" edited
        [ -n "$stderr" ]
    done
    # WADs are for Doom
    run -2 --separate-stderr dhsim --iwad none demo
    [[ $stderr == *'game=dh takes no WADs'* ]]
}

@test "pallets that depend on each other in a circle" {
    cp -r "$pallets" mine
    sed -i '2a depends id=io.dh.yard version=*' mine/base/pallet.dh
    natrec --pallet mine --bots 1 --ticks 10 >demo
    dhsim --pallet mine demo | dhdiff -q
}

# ---- the contract ----------------------------------------------------------------------------------------------------

# The world and what it needs, built by any compiler; what a run of bots gives.
build() { # COMPILER OPTION...
    local sources=() f
    for f in line bytes error number float escape schema schemas value block record state event keep; do
        sources+=("$ROOT/lib/$f.c")
    done
    "$@" -std=gnu11 -ffp-contract=off -w "-I$ROOT/lib" "-I$ROOT/tests/tools/natpure/shim" -o pure \
        "$ROOT/tests/tools/natpure/natpure.c" "$ROOT"/lib/native/*.c "${sources[@]}" -lm
}

pure() { # [EMULATOR]
    "$@" ./pure io.dh.yard:maps/yard 2000 32 7 "io.dh.base:pallet.dh=$pallets/base/pallet.dh" \
        "io.dh.yard:pallet.dh=$pallets/yard/pallet.dh" "io.dh.yard:maps/yard.dh-map=$pallets/yard/maps/yard.dh-map"
}

@test "the same bytes from the compilers that are here, at -O0 and -O3" {
    # ours is the release's: natpure as it was built with the rest
    cp "$DH_BIN/tools/natpure" pure
    pure >want
    [ "$(wc -l <want)" = 41 ]
    for cc in 'gcc -O0' 'gcc -O3' 'clang -O0' 'clang -O3' 'musl-gcc -O0 -static' 'musl-gcc -O3 -static'; do
        # shellcheck disable=SC2086 # words
        set -- $cc
        command -v "$1" >/dev/null || continue
        build "$@"
        pure >got
        same got want || { echo "$cc" && return 1; }
        echo "$cc" >>built
    done
    [ -s built ]
}

@test "the same bytes from arm64" {
    need_cmd aarch64-linux-gnu-gcc qemu-aarch64
    cp "$DH_BIN/tools/natpure" pure
    pure >want
    for o in -O0 -O3; do
        build aarch64-linux-gnu-gcc -static $o
        pure qemu-aarch64 >got
        same got want
    done
}
