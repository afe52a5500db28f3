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
    "$ROOT/tests/oracle/campaign" -n 8 -t 1500 -s 11 -w freedoom1,freedoom2,freedm
}

@test "random demos as three executables, against chocolate-doom" {
    need_cmd chocolate-doom cc
    need_wad freedoom1
    # 1.2 on levels without a sector of special 17, which the packaged engine has flicker there
    for version in 1.666 1.9 final2; do
        "$ROOT/tests/oracle/campaign" -g $version -n 2 -t 1500 -s 12 -w freedoom1
    done
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
