#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# A state is whole: a replay that starts from any of them goes on as the one that it was taken of. `make checkpoints` does
# the same with the long demos.
#
# Each state is a world made anew, so here it is a sample, evenly spread. What it takes is set by
#   DOOM_CHECKPOINTS   so many tics lie between the states that the free demos go on from (default: 700)
#   DOOM_HOPS          our own demos leave their world every so many tics (default: 7, which no period of the game shares)
# `DOOM_CHECKPOINTS=350 DOOM_HOPS=2 tests/run tests/65-doom-checkpoints.bats` takes minutes.

load lib
# shellcheck source=/dev/null
. "$GOLDEN/rows.bash"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

checkpoints() { # GROUP
    local name why=() bad=0
    for name in $(row_names "$1"); do
        if ! row_files "$name" .; then
            why+=("$name: $WHY")
            continue
        fi
        "$ROOT/tests/oracle/checkpoints" -n "${DOOM_CHECKPOINTS:-700}" "$name" || bad=1
    done
    [ $bad = 0 ] || return 1
    [ ${#why[@]} = 0 ] || skip "${why[0]} (${#why[@]} of $(row_names "$1" | wc -l) demos; the others agree)"
}

@test "from every checkpoint of the DEMO lumps of Freedoom: Phase 1" { checkpoints freedoom1; }
@test "from every checkpoint of the DEMO lumps of Freedoom: Phase 2" { checkpoints freedoom2; }
@test "from every checkpoint of the DEMO lumps of FreeDM" { checkpoints freedm; }

# Leaving the world every few tics, the digest of every tic: same bytes?
hops() { # NAME EVERY WAD DEMO.dh [OPTION...]
    local name=$1 every=$2 wad=$3 demo=$4 plain=0 hopping=0
    shift 4
    dhsim -b --iwad "$wad" "$@" --every 1 --digest "$demo" >plain 2>plain.err || plain=$?
    dhsim -b --iwad "$wad" "$@" --every 1 --digest --restart-every "$every" "$demo" >hopping 2>hopping.err || hopping=$?
    if [ $plain != $hopping ] || ! cmp plain hopping || ! cmp plain.err hopping.err; then
        echo "$name differs"
        return 1
    fi
    [ -s plain ]
}

@test "our demos, through intermissions, texts and the cast: another world every few tics" {
    "$DATA/worlds" "$PWD" >rows
    while read -r name wad _; do
        lmp2dh -b "$name.lmp" >demo.dh
        hops "$name" "${DOOM_HOPS:-7}" "$wad" demo.dh
    done <rows
}

# Monsters that look for four players, crowd and fight, where doors and lifts move: a replay remembers much between tics
# that is no state (what hid whom, what a step ended at, where a noise went). Another world every tic knows nothing of it.
@test "what a replay remembers besides its state changes nothing" {
    need_wad freedoom2
    mkdemo -m 7 -p 4 -k 4 -t 250 -s 7 >demo.lmp
    lmp2dh -b demo.lmp >demo.dh
    hops MAP07 1 "$WAD" demo.dh
}

@test "the quirks: overruns, dolls, several movers in a sector, patches: another world every third tic" {
    for name in arena-1.2 gibs-1.9 skull-ultimate boss-map07-arachnotron spechit-14 intercepts-147 intercepts-160 ceilings-32 \
        buttons-16 reject-none donut-open voodoo zombie altdeath nightmare pause deh-both deh-waits-coop; do
        "$ROOT/tests/oracle/quirk" made "$name" . </dev/null
        read -r _ map _ _ _ options < <(grep "^$name " "$DATA/quirks/rows")
        # shellcheck disable=SC2001 # as a list of words
        read -r -a words < <(sed "s/-gameversion/--game-version/; s/-reject .*//; s|-deh |--deh $DATA/quirks/|g" <<<"$options")
        wad=$map.wad
        [[ $options != *-reject* ]] || wad=$map,${options##* }.wad
        hops "$name" 3 "$wad" "made-$name/demo.dh" "${words[@]}"
    done
}

@test "several movers of one sector: a state knows which one the sector knows" {
    printf '%s\n' 'texture AASHITTY 64x64 STARTAN3 128x128 BIGDOOR2 128x128' 'map MAP01' 'sector hall wall=STARTAN3' 'poly hall 0,0 256,128' \
        'sector door ceil=0 floor=0 lintel=BIGDOOR2 tag=5' 'poly door 0,128 256,144' 'line 256,128 0,128 special=31' \
        'line 256,0 0,0 special=42 tag=5' 'poly hall 0,144 256,256' 'thing player1 128,80 angle=90' >doors.map
    # an opening door that is used again before it is open: special 31 begins a second one; 42 closes what the sector knows
    sed -i 's/line 256,128 0,128 special=31/line 0,128 256,128 special=118/' doors.map
    mkwad doors.wad doors.map
    printf '%s\n' 'demo' 'player 1 angle=90' '5' '1 use' '4' '1 use' '4' '1 use' '40' 'face 270' '20 run' '1 use' '60' >doors.script
    mkwalk doors.script doors.lmp
    lmp2dh -b doors.lmp >doors.dh
    hops doors 1 doors.wad doors.dh
}

@test "a state that cannot be: an error that says what is wrong" {
    lmp2dh "$DATA/walk.lmp" | dhsim --iwad none --file "$DATA/yard.wad" --checkpoint --every 100 --until 250 >demo
    dhsplit --from 200 demo >tail 2>err
    dhsim --iwad none --file "$DATA/yard.wad" tail >out
    grep -q '^end ' out
    broken() { # SED-SCRIPT TEXT
        sed "$1" tail >broken
        ! cmp -s tail broken || { echo "nothing changed by $1" && false; }
        run --separate-stderr -2 dhsim --iwad none --file "$DATA/yard.wad" broken
        [[ $stderr == *"$2"* ]] || { show && false; }
        run ! grep '^end ' <<<"$output"
    }
    broken '/^checkpoint 200 Player@0 /s/ ready=[0-9]*/ ready=99/' 'ready is 99, expected 0 to 8'
    broken '/^checkpoint 200 Player@0 /s/ weaponstate=[0-9]*/ weaponstate=967/' 'weaponstate is 967, expected 0 to 966'
    broken '/^checkpoint 200 Marine@/s/ state=[0-9]*/ state=2000/' 'state'
    broken '/^checkpoint 200 Marine@/s/ lastlook=[0-9]*/ lastlook=4/' 'lastlook is 4, expected 0 to 3'
    broken '/^checkpoint 200 Marine@/s/ subsector=[0-9]*/ subsector=9999/' 'subsector'
    broken '/^checkpoint 200 Game@0 /s/ skill=[0-9]*/ skill=9/' 'skill'
    broken '/^checkpoint 200 Game@0 /s/ itemquehead=[0-9]*/ itemquehead=4000/' 'itemquehead is 4000'
    broken '/^checkpoint 200 Player@0 /s/ mo=[^ ]*/ mo=Marine@99999/' '99999'
}

@test "dh-doom.7 names every field of a state" {
    lmp2dh "$DATA/walk.lmp" | dhsim --iwad none --file "$DATA/yard.wad" --until 1 >demo
    # of the players' own counts in an intermission the number is left out
    sed -n '/^schema \(rule\|input\|join\|option\) /d; s/^schema //p' demo | tr -s ' ,' '\n' |
        sed -n 's/^\([a-z][A-Za-z]*\)[0-9]*:.*/\1/p' | sort -u >fields
    [ "$(wc -l <fields)" -gt 150 ]
    tr -c 'A-Za-z0-9' '\n' <"$ROOT/man/dh-doom.7" | sed 's/[0-9]*$//' | sort -u >words
    comm -23 fields words >missing
    [ ! -s missing ] || { echo "not in the page:" && cat missing && false; }
}
