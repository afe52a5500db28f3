#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# A fixed sample of the campaign (`make campaign`): random demos against the engines that are installed.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

@test "random demos, every mode, against dsda-doom" {
    need_cmd dsda-doom cc
    need_wad freedoom1
    need_wad freedoom2
    need_wad freedm
    "$ROOT/tests/oracle/campaign" -n 8 -t 1500 -s 11 -e 4 -w freedoom1,freedoom2,freedm
}

@test "random demos as three executables, against chocolate-doom" {
    need_cmd chocolate-doom cc
    need_wad freedoom1
    # 1.2 on levels without a sector of special 17, which the packaged engine has flicker there
    for version in 1.666 1.9 final2; do
        "$ROOT/tests/oracle/campaign" -g $version -n 2 -t 1500 -s 12 -w freedoom1
    done
}

# dsda-doom leaves a player walking whose doll stops; chocolate-doom does not, and its savegames have floors of the PWAD's own.
@test "where the ports differ, chocolate-doom's savegames decide, on a PWAD's flats too" {
    need_cmd dsda-doom chocolate-doom cc
    need_file "$SHARED/quickcheck/hr.zip" "$SHARED/quickcheck/miniwad.wad"
    echo 'hr -s 122623814 -m 24 -k 3 -p 2 -f -t 2808' >doll
    run "$ROOT/tests/oracle/campaign" -r doll # no success, since dsda-doom agrees on none
    [[ $output == *"with chocolate-doom 17 savegames agree"* && $output == *", 0 differ; 1 played differently by the ports, "* ]]
}

# dsda-doom applies them and so do we; chocolate-doom passes them over.
@test "a patch's par times move what comes after an intermission" {
    need_cmd dsda-doom cc
    need_wad freedoom2
    "$DATA/cells" .
    mkwad cells2.wad cells2.map
    mkwad -p -m maps.wad cells2.map
    # through the first exit, and one press of the key, which leaves a count that is over and only hurries one that is not
    printf '%s\n' 'demo map=1 skill=3' 'player 1 angle=90' '10 run' '1 use' '400' '1 use' 400 >wait.script
    mkwalk wait.script wait.lmp
    printf '%s\n' 'Patch File for DeHackEd v3.0' '' '[PARS]' 'par 1 1500' >pars.deh
    "$ROOT/tests/oracle/tap" "$WAD" wait.lmp engine -nodeh -deh pars.deh -file maps.wad </dev/null
    "$ROOT/tests/oracle/replay" cells2.wad wait.lmp ours --deh pars.deh </dev/null
    "$ROOT/tests/oracle/first" engine ours
    "$ROOT/tests/oracle/replay" cells2.wad wait.lmp plain </dev/null
    run ! cmp -s ours plain
}

# The campaign reads our lines from the world (tests/tools/doomtap): four players through levels, intermissions, texts and
# the cast.
@test "what the world says at each tic is what the stream of its states says" {
    "$DATA/cells" .
    mkwad cells2.wad cells2.map
    sed '1s/$/ players=4/' cells2.script >four.script
    printf 'player %d angle=90\nrandom 2500 seed=%d\n' 2 2 3 3 4 4 >>four.script
    mkwalk four.script four.lmp
    TAP_FULL=30-60 "$ROOT/tests/oracle/replay" none four.lmp stream --file cells2.wad
    doomtap --iwad none --file cells2.wad -f 30-60 four.lmp >world
    cmp stream world
    grep -v ^m world >tics
    [ "$(cut -d ' ' -f 3 tics | uniq | wc -l)" -ge 20 ]                                    # levels
    [ "$(awk '$2 == before { n++ } { before = $2 } END { print n + 0 }' tics)" -gt 200 ] # tics between them
    awk '$1 == "m" && $2 < 4 && $3 == 0 { players[$2] } END { exit length(players) != 4 }' world

    TAP_FULL=7 "$ROOT/tests/oracle/replay" "$DATA/yard.wad" "$DATA/coop4.lmp" stream --nodeh --game-version ultimate
    doomtap --iwad "$DATA/yard.wad" --nodeh --game-version ultimate -f 7 "$DATA/coop4.lmp" >world
    cmp stream world
}

@test "doomtap: what it cannot play is an error, and a full disk too" {
    run -2 --separate-stderr doomtap --iwad "$DATA/yard.wad"
    [[ $stderr == usage:* ]]
    run -2 --separate-stderr doomtap --iwad nowhere.wad "$DATA/walk.lmp"
    [[ $stderr == "doomtap: nowhere.wad: "* ]]
    head -c 100 "$DATA/walk.lmp" >short.lmp
    run -2 --separate-stderr doomtap --iwad "$DATA/yard.wad" short.lmp
    [[ $stderr == "doomtap: short.lmp: truncated: "* ]]
    run -2 --separate-stderr bash -c "doomtap --iwad '$DATA/yard.wad' '$DATA/walk.lmp' >/dev/full"
    [[ $stderr == "doomtap: standard output" ]]
}
