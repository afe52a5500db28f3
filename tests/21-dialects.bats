#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Every dialect in and out. The demos of tests/dialects.bash are made from the documents byte by byte, and what their
# fields are was worked out by hand from those; real demos are read where they are, and compared with their bytes as od
# and awk read them, or with what an engine says of them.

# shellcheck disable=SC2016 # $0 is for the inner shell

load lib
load dialects

setup_file() {
    make_dialects "$BATS_FILE_TMPDIR/made"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    MADE=$BATS_FILE_TMPDIR/made
}

# ---- the made ones ---------------------------------------------------------------------------------------------------

@test "every dialect comes back byte for byte, and without a word" {
    local name
    for name in "${dialects[@]}"; do
        round_trip "$MADE/$name.lmp"
        [ ! -s rt.err ] || { cat rt.err; false; }
    done
}

# Each line: the demo, then words that its header, joins, inputs or end have as whole fields.
@test "the fields are those of the documents" {
    local name words word
    while read -r name words; do
        lmp2dh "$MADE/$name.lmp" >got.dh
        grep -v '^schema' got.dh | tr ' ' '\n' >words
        for word in $words; do
            grep -qxF -- "$word" words || { echo "$name: no $word in"; grep -v '^schema' got.dh; false; }
        done
    done <<'END'
doom12 game=doom rule.skill=3 rule.episode=1 rule.level=7 rule.player0=1 rule.player1=0 rule.player2=1 forward=-25
doom14 game=doom rule.version=104 rule.skill=3 rule.level=7 forward=50 side=-40 turn=2560 buttons=attack
doom15 game=doom rule.version=105 buttons=use weapon=shotgun
doom16 game=doom rule.version=106 turn=-256
doom17 game=doom rule.version=107
doom18 game=doom rule.version=108
doom19 game=doom rule.version=109
tasdoom game=doom rule.version=110 forward=50 side=-40 turn=2560 buttons=attack weapon=shotgun
longturns game=doom rule.version=111 turn=2826 turn=32767
bfg game=doomclassic rule.mission=2 rule.level=7 health=100 armor=101 weapon=103 fist=104 supershotgun=112 bullets=113 maxbullets=114 maxrockets=120 health=200 maxrockets=220 turn=2826
bfgdebug game=doomclassic rule.version=112 random=170 random=187 turn=32767
heretic game=heretic rule.episode=2 rule.level=7 look=-1 fly=5 fly=-8 artifact=10 weapon=crossbow
heretic-long game=heretic rule.player0=17 turn=2826 turn=32767 look=-1 fly=5
hexen game=hexen rule.level=33 rule.class0=2 rule.player2=1 rule.class2=1 rule.class7=0 artifact=10 moves=jump weapon=third
hexen10 game=hexen rule.level=33 rule.class0=2 rule.class2=1 artifact=10 moves=suicide
strife game=strife rule.version=101 rule.level=33 rule.deathmatch=1 rule.respawn=2 rule.fast=3 rule.nomonsters=4 rule.viewpoint=0 rule.player0=1 rule.player7=0 buttons2=lookup,use,jump inventory=7 weapon=rifle
boom200 game=boom rule.version=200 rule.compatibility=1 rule.deathmatch=1 rule.viewpoint=2 rule.monsters_remember=1 rule.options_rest=0x3c3d3e3f40 rule.player2=3 end 1
boom201 game=boom rule.version=201 rule.compatibility=0
boom game=boom rule.version=202 rule.monsters_remember=1 rule.variable_friction=2 rule.weapon_recoil=3 rule.allow_pushers=4 rule.option4=5 rule.player_bobbing=6 rule.respawn=7 rule.fast=8 rule.nomonsters=9 rule.demo_insurance=10 rule.rngseed=185339150 rule.monster_infighting=15 rule.comp_telefrag=27 rule.comp_reservedlineflag=58 rule.force_old_bsp=59 rule.player31=0
lxdoom game=lxdoom rule.version=203 rule.skill=3 rule.monsters_remember=1 rule.options_rest=0x3c3d3e3f40
mbf game=mbf rule.version=203 rule.compatibility=9 rule.dogs=16 rule.classic_bfg=17 rule.beta=18 rule.distfriend=4884 rule.monster_backing=21 rule.monkeys=26 rule.comp_zerotags=45
cdoom game=cdoom rule.version=207 rule.signature=0x43444f4f4d43 turn=2826
cdoomb game=cdoom rule.version=205 rule.signature=0x1d426f6f6de6
prboom game=prboom rule.version=211 turn=2560
prboom6 game=prboom rule.version=214 turn=2826
mbf21 game=mbf21 rule.version=221 rule.viewpoint=2 rule.monsters_remember=1 rule.rngseed=117967114 rule.distfriend=3342 rule.monkeys=20 rule.comps=27 rule.comp_telefrag=65 rule.comp_reservedlineflag=89 rule.comp25=90 rule.comp26=91 rule.player2=3 turn=32767
eternity game=eternity map=MAP09 rule.version=404 rule.subversion=3 rule.skill=2 rule.level=9 rule.deathmatch=1 rule.dmflags=16909060 rule.map=MAP09 rule.comp_thingsectorlight=56 rule.comp30=57 rule.autoaim=59 rule.pitchedflight=61 rule.options_rest=0x3e3f40 turn=2826 actions=jump,reload,zoom look=-32768 fly=-5 item=1 weaponid=258 weaponslot=9
eternity328 rule.version=328 rule.monsters_remember=1 forward=-25
eternity329 rule.version=329 rule.subversion=5 rule.map=MAP09 look=-10 turn=2560
eternity331 rule.version=331 rule.dmflags=16909060 look=-10
eternity333 rule.version=333 rule.subversion=49 look=-10 turn=2560
eternity333-50 rule.subversion=50 look=-10 turn=2826
eternity335 rule.version=335 actions=jump look=-10
eternity340 rule.version=340 rule.subversion=23 fly=-5
kex game=kex rule.signature_end=0 rule.edition=259 rule.build=a1b2c3d4 rule.skill=3 rule.level=7 turn=2826
kex31 game=kex rule.edition=259 rule.build=a1b2c3d4 rule.skill=3 rule.level=7 turn=2826
um game=prboom-um rule.um_version=1 rule.um_count=1 rule.um_extension=UMAPINFO rule.um_map=MAP07 rule.version=109
um0 game=prboom-um rule.version=202 rule.rngseed=185339150
dsda1 game=dsda rule.dsda_end=39 rule.dsda_tics=2 rule.dsda_keep=0 rule.version=109 actions=jump
dsda2 game=dsda rule.dsda_flags=2 forward=-128 turn=-32768 spare=0x80 actions=0x80 actions=jump,save,load,god,noclip,look saveslot=3 loadslot=4 pitch=-32640
dsda game=dsda rule.dsda_udmf=1 rule.version=221 actions=save saveslot=5 actions=look pitch=-10
dsda-key game=dsda rule.dsda_flags=1 rule.keyframe=6 part=head hex=0x800102030405
pwad option.footer=pwad option.port=Woof!\04014.0.0 option.iwad=doom2.wad option.pwad0=a\040b.wad option.pwad1=c.wad option.deh0=d.deh option.complevel=2 option.coop_spawns=1 engine=Woof!\04014.0.0
cndoom option.footer=cndoom option.port=CNDoom\0402.0.3.2 option.cndoom_player1=0042 option.cndoom_map=07 option.cndoom_mode=S option.cndoom_time=00:01:02.03
trailer option.footer=text option.text=Recorded\040on\040a\040rainy\040day\012
END
}

# The prefixes of a demo are cut short, and come back as they are.
@test "every prefix is cut short or whole, and comes back" {
    mutate -p lmp "$MADE"/*.lmp
}

@test "an edit changes its byte and no other" {
    local name edit at byte
    while IFS='|' read -r name edit at byte; do
        lmp2dh "$MADE/$name.lmp" | sed "$edit" | dh2lmp >got.lmp 2>err
        cp "$MADE/$name.lmp" want.lmp
        hexfile "$byte" | dd of=want.lmp bs=1 seek="$at" conv=notrunc status=none
        same got.lmp want.lmp || { echo "$name $edit: $(cat err)"; false; }
        run ! cmp -s got.lmp "$MADE/$name.lmp"
    done <<'END'
doom12|/^header/s/level=7/level=9/|2|09
tasdoom|/^input 0/s/forward=50/forward=49/|14|31
bfg|/^join 0 1/s/armor=201/armor=-1/|102|ff ff ff ff
heretic|/^input 0/s/look=-1/look=7/|11|57
hexen|/^header/s/class2=1/class2=0/|8|00
strife|/^input 0/s/buttons2=lookup,use,jump/buttons2=health/|20|80
boom|/^header/s/rngseed=[0-9]*/rngseed=1/|23|00 00 00 01
boom|/^header/s/comp_vile=[0-9]*/comp_vile=0/|41|00
mbf21|/^header/s/comp26=91/comp26=0/|59|00
eternity|/^header/s/rule.map=MAP09/rule.map=E1M1/|22|45 31 4d 31 00 00 00 00
eternity|/^input 0/s/weaponid=258/weaponid=3/|137|03 00
kex|/^header/s/build=a1b2c3d4/build=x/|11|78 00 00 00 00 00 00 00 00
um|/^header/s/um_map=MAP07/um_map=MAP32/|22|33 32
dsda|/^input 0/s/saveslot=5/saveslot=6/|116|06
END
}

@test "what no command of a dialect can say is refused, with the tick" {
    local name edit words
    while IFS='|' read -r name edit words; do
        got=0
        lmp2dh "$MADE/$name.lmp" | sed "$edit" | dh2lmp >out 2>err || got=$?
        [ $got = 2 ] && grep -qF -- "$words" err || { echo "$name $edit: status $got: $(cat err)"; false; }
    done <<'END'
tasdoom|/^input 0/s/buttons=attack/spare=0x80/|spare=0x80 makes the end marker's byte: a demo would end here: tick 0
heretic|/^input 0/s/look=-1/look=8/|look=8: expected -8 to 7: tick 0
heretic|/^input 1/s/fly=-8/fly=-9/|fly=-9: expected -8 to 7: tick 1
hexen|/^input 0 2/s/artifact=10/artifact=64/|artifact=64: expected 0 to 63: tick 0
dsda|/^input 0/s/ actions=save//|saveslot=5 without actions=save: tick 0
dsda|/^input 1/s/ actions=look//|pitch=-10 without actions=look: tick 1
eternity|/^header/s/rule.map=MAP09/rule.map=ALONGNAME/|rule map: 9 bytes do not fit
doom12|/^header/s/skill=3/skill=5/|no header of Doom up to 1.2 can say these rules
mbf21|/^header/s/rule.comps=27/rule.comps=26/|rule field comp26 has no byte
um|/^header/s/um_count=1/um_count=2/|with 2 extensions: expected 1
dsda-key|/^header/s/keyframe=6/keyframe=7/|the key frame is 6 bytes, rule keyframe says 7
dsda-key|/^header/s/dsda_flags=1/dsda_flags=0/|rule field keyframe has no byte
boom|/^header/s/game=boom/game=mbf/|rule version is 202
END
}

# ---- which it is -----------------------------------------------------------------------------------------------------

game_of() { # FILE [OPTION...]
    local file=$1
    shift
    lmp2dh "$@" "$file" 2>err | sed -n 's/^header game=\([^ ]*\) .*/\1/p'
}

@test "the size of the commands tells Doom up to 1.2 from Heretic" {
    hexfile 02 01 01 01 00 00 00 32 28 1f 00 32 28 1f 00 80 >a.lmp # two of four bytes
    [ "$(game_of a.lmp)" = doom ]
    [ ! -s err ]
    hexfile 02 01 01 01 00 00 00 32 28 1f 00 32 28 80 >a.lmp # one of six
    [ "$(game_of a.lmp)" = heretic ]
    [ ! -s err ]
}

@test "players, classes, episodes and levels tell Hexen" {
    hexfile 02 01 21 01 02 "$(zeros 14)" 32 28 1f 00 00 00 80 >a.lmp # level 33
    [ "$(game_of a.lmp)" = hexen ]
    lmp2dh a.lmp | grep -q 'rule.class7=0'
    hexfile 02 01 21 01 02 "$(zeros 6)" 32 28 1f 00 00 00 80 >a.lmp
    [ "$(game_of a.lmp)" = hexen ]
    run ! grep -q 'rule.class7' <(lmp2dh a.lmp)
    hexfile 02 02 05 01 "$(zeros 15)" 32 28 1f 00 00 00 80 >a.lmp # there is no episode 2 in Hexen
    [ "$(game_of a.lmp)" = heretic ]
    [ ! -s err ]
}

@test "where two readings fit, it is said which was taken and why" {
    # two idle tics of Heretic, or one fighter of Hexen; the body is no multiple of four
    hexfile 02 01 05 01 "$(zeros 15)" 32 28 1f 00 00 00 80 >a.lmp
    [ "$(game_of a.lmp)" = heretic ]
    grep -q 'a.lmp: read as Heretic, the likelier; it would do as Hexen 1.1 too (--dialect settles it)' err
    [ "$(game_of a.lmp --game hexen)" = hexen ]
    [ "$(game_of a.lmp --dialect hexen)" = hexen ]
    [ ! -s err ]
    # a button byte that only one reading has sense for
    hexfile 02 01 05 01 00 00 00 "$(for i in {1..60}; do echo 00 00 00 00; done)" 00 00 00 00 00 00 00 41 00 00 00 00 80 >a.lmp
    [ "$(game_of a.lmp)" = heretic ]
    grep -q 'read as Heretic: its commands make more sense; it would do as Doom up to 1.2 too' err
    [ "$(game_of a.lmp --game doom)" = doom ]
}

@test "111: long turns or Doom Classic, by the player who looks" {
    [ "$(game_of "$MADE/bfg.lmp")" = doomclassic ]
    [ "$(game_of "$MADE/longturns.lmp")" = doom ]
    [ "$(game_of "$MADE/longturns.lmp" --dialect longturns)" = doom ]
    [ "$(game_of "$MADE/bfg.lmp" --dialect longturns)" = doom ]
    [ "$(game_of "$MADE/longturns.lmp" --dialect bfg)" = '' ]
}

@test "--game and --dialect are held to" {
    run --separate-stderr lmp2dh --game heretic "$MADE/doom19.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'not a demo of heretic: it is of Doom 1.9'* ]]
    run --separate-stderr lmp2dh --dialect mbf21 "$MADE/boom.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'not a demo of mbf21: it is of Boom'* ]]
    run --separate-stderr lmp2dh --dialect nosuch "$MADE/boom.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *"no dialect is called 'nosuch'"* ]]
    run --separate-stderr lmp2dh --game quake "$MADE/boom.lmp"
    [ "$status" = 2 ]
    [ "$(game_of "$MADE/dsda.lmp" --dialect dsda)" = dsda ]
    [ "$(game_of "$MADE/dsda.lmp" --dialect dsda/mbf21)" = dsda ]
    [ "$(game_of "$MADE/dsda.lmp" --dialect dsda/mbf)" = '' ]
    [ "$(game_of "$MADE/um0.lmp" --dialect boom)" = prboom-um ]
}

@test "what makes no sense as any is no demo, unless asked for" {
    hexfile 02 4d 61 63 20 4f 53 20 58 20 20 20 00 00 01 02 >a.lmp
    run --separate-stderr lmp2dh a.lmp
    show
    [ "$status" = 2 ]
    [ -z "$output" ]
    [[ $stderr == 'lmp2dh: a.lmp: not a demo that makes sense'* ]]
    round_trip_game() {
        lmp2dh --game heretic a.lmp | dh2lmp | cmp - a.lmp
    }
    run round_trip_game
    [[ $output != *differ* ]]
}

@test "-u: what only the whole file tells has to be said" {
    run --separate-stderr lmp2dh -u "$MADE/heretic.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'which dialect that is only the whole file tells'* ]]
    lmp2dh -u --dialect heretic "$MADE/heretic.lmp" >got.dh
    lmp2dh "$MADE/heretic.lmp" >want.dh
    same got.dh want.dh
    local name
    for name in boom mbf21 eternity kex um dsda2 dsda-key bfg; do
        lmp2dh -u "$MADE/$name.lmp" >got.dh
        dh2lmp got.dh >got.lmp
        same got.lmp "$MADE/$name.lmp"
    done
}

# ---- dsda's dependent fields -----------------------------------------------------------------------------------------

@test "dsda: the end and the number of commands follow from the inputs" {
    # 30 tics, the tenth doubled in length by a look; then ten of them away
    {
        hexfile ff 1d "$(text_hex DSDA)" e6 02 "$(be32 182)" "$(be32 30)" 00 6d "$doom_header"
        for i in {1..30}; do
            [ "$i" = 10 ] && hexfile 32 00 00 00 20 01 02 || hexfile 32 00 00 "$(printf '%02x' "$i")" 00
        done
        hexfile 80 61 62
    } >a.lmp
    round_trip a.lmp
    lmp2dh a.lmp | awk '$1 == "input" && $2 >= 5 && $2 < 15 { next } ($1 == "input" || $1 == "end") && $2 >= 15 { $2 -= 10 } 1' |
        dh2lmp >b.lmp
    # 182 less ten commands of five bytes and the look's two
    lmp2dh b.lmp | grep -q 'rule.dsda_end=130 rule.dsda_tics=20 rule.dsda_keep=0'
    { head -c 55 a.lmp && tail -c +108 a.lmp; } >want.lmp
    { head -c 8 want.lmp && hexfile "$(be32 130)" "$(be32 20)" && tail -c +17 want.lmp; } >want2.lmp
    same b.lmp want2.lmp
}

@test "dsda: a header that is wrong about the end stays as it is" {
    # one command too many in the count; the end beyond the file; never filled in
    local at value status
    while read -r at value status; do
        { head -c "$at" "$MADE/dsda1.lmp" && hexfile "$(be32 "$value")" && tail -c +$((at + 5)) "$MADE/dsda1.lmp"; } >a.lmp
        round_trip a.lmp "$status"
        lmp2dh a.lmp 2>err | grep -q 'rule.dsda_keep=1'
    done <<'END'
12 3 0
8 4000 1
8 0 1
END
    # inside a command, or where no marker is: corrupt
    for value in 37 34; do
        { head -c 8 "$MADE/dsda1.lmp" && hexfile "$(be32 $value)" && tail -c +13 "$MADE/dsda1.lmp"; } >a.lmp
        run --separate-stderr lmp2dh a.lmp
        show
        [ "$status" = 2 ]
        [ -z "$output" ]
        [[ $stderr == *"the header says that the end marker is at byte $value"* ]]
    done
}

@test "dsda: a long demo is held back, whatever its size" {
    ! grep -q -e -fsanitize "$DH_BIN/obj/flags" || skip "sanitizers reserve address space of their own"
    {
        hexfile ff 1d "$(text_hex DSDA)" e6 02 "$(be32 $((30 + 10000000)))" "$(be32 2000000)" 00 6d "$doom_header"
        head -c 10000000 /dev/zero
        hexfile 80
    } >a.lmp
    (ulimit -v 32768 && lmp2dh -b a.lmp >a.dh)
    (ulimit -v 32768 && dh2lmp a.dh) | cmp - a.lmp
}

# ---- footers ---------------------------------------------------------------------------------------------------------

# A demo that dsda-doom would have signed: MD5 of the demo, its marker and the bits of the features.
signed() { # > FILE
    hexfile 6d "$doom_header" "$two" 80 >demo
    local md5 text
    md5=$({ cat demo && hexfile 03 00 00 00 00 00 00 00; } | md5sum | cut -d' ' -f1)
    text="$(text_hex "Menu, Extended HUD")0a$(text_hex "0x0000000000000003-$md5")00"
    cat demo
    hexfile 50574144 01000000 "$(le32 $((12 + ${#text} / 2)))" "$text" "$(le32 12)" "$(le32 $((${#text} / 2)))" \
        "$(text_hex FEATURES)"
}

@test "a signature: valid, invalid, and an edit that makes it so" {
    signed >a.lmp
    lmp2dh a.lmp >a.dh
    grep -q 'option.features=Menu,\|option.features=Menu\\054' a.dh
    grep -q 'option.features_bits=0x0000000000000003' a.dh
    grep -q 'option.signature=valid' a.dh
    round_trip a.lmp
    [ ! -s rt.err ]
    sed '/^input 0/s/forward=50/forward=49/' a.dh | dh2lmp >b.lmp 2>err
    grep -q "the footer's signature does not fit the demo" err
    lmp2dh b.lmp | grep -q 'option.signature=invalid'
    # what did not fit before is no news, and what is left out cannot be wrong
    round_trip b.lmp
    [ ! -s rt.err ]
    sed '/^input 0/s/forward=50/forward=49/' a.dh | dh2lmp --strip-footer >c.lmp 2>err
    [ ! -s err ]
    [ "$(wc -c <c.lmp)" = "$(wc -c <demo)" ]
}

@test "real signatures are valid" {
    need_file "$SHARED/dialects"
    local f
    for f in v109-trailer-4 freedoom-demo3_p2; do
        lmp2dh "$SHARED/dialects/$f.lmp" | grep -q 'option.signature=valid'
    done
}

@test "the footers of real demos" {
    need_file "$SHARED/dialects"
    local f words word
    while read -r f words; do
        lmp2dh "$SHARED/dialects/$f.lmp" | grep '^header' | tr ' ' '\n' >words
        for word in $words; do
            grep -qxF -- "$word" words || { echo "$f: no $word"; grep option words; false; }
        done
    done <<'END'
v109-trailer-1 option.port=PrBoom-Plus\0402.5.0.6 option.footer_version=2 option.iwad=doom2.wad option.pwad0=100wave.wad option.complevel=2
v109-trailer-2 option.port=dsda-doom\0400.18.0 option.pwad0=scythe.wad
v109-trailer-4 option.port=dsda-doom\0400.28.2 option.features=Extended\040HUD option.features_bits=0x0000000000000002
v111-footer-hr13 option.pwad0=HRMUS.wad option.pwad1=HR.wad engine=PrBoom-Plus\0402.5.0.6
v202-damage option.iwad=DOOM2.WAD option.pwad0=analysis_test.wad
freedoom-demo3_p2 option.iwad=freedoom2.wad option.pwad0=map22fix.wad option.features=Menu
END
}

# ---- conversion ------------------------------------------------------------------------------------------------------

@test "Doom up to 1.2 to 1.9 and back" {
    lmp2dh "$MADE/doom12.lmp" | dh2lmp --dialect doom19 --rule nomonsters=1 --rule fast=2 >b.lmp 2>err
    hexfile 6d 03 01 07 00 00 02 01 00 01 00 01 00 "$two_players" 80 >want.lmp
    same b.lmp want.lmp
    grep -q 'Doom up to 1.2 does not store deathmatch=0 respawn=0 viewpoint=0; --rule sets them' err
    # what it cannot store is not dropped unasked
    run --separate-stderr bash -o pipefail -c 'lmp2dh b.lmp | dh2lmp --dialect doom12'
    show
    [ "$status" = 2 ]
    [[ $stderr == *'Doom up to 1.2 has no place for fast=2 nomonsters=1 (--lossy drops it)'* ]]
    lmp2dh b.lmp | dh2lmp --dialect doom12 --lossy >c.lmp 2>err
    same c.lmp "$MADE/doom12.lmp"
    grep -q 'has no place for fast=2 nomonsters=1: dropped' err
}

@test "a move beyond what 1.2 makes is of 1.0 or 1.1" {
    says() { # WHETHER DIALECT MOVE
        hexfile "03 01 01 01 00 00 00 00 00 00 00 $3 00 00 80" >old.lmp
        lmp2dh --dialect "$2" old.lmp 2>err >out
        grep -q '^end ' out
        if [ "$1" = yes ]; then
            grep -qx 'lmp2dh: old.lmp: moves beyond 50, which Doom 1.2 does not make: of 1.0 or 1.1 (dhsim --game-version)' err
        else
            run ! grep beyond err
        fi
    }
    says yes doom12 '71 00' # 113: running forwards
    says yes doom12 '00 a5' # -91: running sideways
    says yes doom12 '33 00'
    says no doom12 '32 ce' # 50, -50
    hexfile 6d 03 01 01 00 00 00 00 00 01 00 00 00 71 00 00 00 80 >old.lmp # of 1.9, by a turbo cheat
    lmp2dh old.lmp 2>err >out
    same err /dev/null
}

@test "a footer's command line gives what the old header did not store" {
    { cat "$MADE/doom12.lmp" && hexfile "$(pwad_footer 'dsda-doom 0.25.6' '-iwad "doom.wad" -complevel 0 -respawn')"; } >a.lmp
    lmp2dh a.lmp | dh2lmp --dialect doom19 --strip-footer >b.lmp 2>err
    hexfile 6d 03 01 07 00 01 00 00 00 01 00 01 00 "$two_players" 80 >want.lmp
    same b.lmp want.lmp
    grep -q 'respawn=1' err
}

@test "between the versions of Doom, TASDoom and long turns" {
    local from to
    for from in doom14 doom16 doom19 tasdoom; do
        for to in doom15 doom19 tasdoom longturns; do
            lmp2dh "$MADE/$from.lmp" | dh2lmp --dialect $to >b.lmp 2>err
            [ ! -s err ]
            lmp2dh b.lmp >b.dh
            lmp2dh "$MADE/$to.lmp" >want.dh
            [ $to != longturns ] || sed -i '/^input/s/turn=2826/turn=2560/; /^input/s/turn=32767/turn=-256/' want.dh
            same b.dh want.dh
            lmp2dh b.lmp | dh2lmp --dialect $from >c.lmp
            same c.lmp "$MADE/$from.lmp"
        done
    done
}

@test "--round: the nearest turn that fits, counted" {
    hexfile 6f "$doom_header" 00 00 7f 00 00  00 00 80 00 00  00 00 81 ff 00  00 00 ff 7f 00  00 00 00 05 00 80 >a.lmp
    run --separate-stderr bash -o pipefail -c 'lmp2dh a.lmp | dh2lmp --dialect doom19'
    show
    [ "$status" = 2 ]
    [[ $stderr == *'turn=127 does not fit its byte: expected a multiple of 256 (--round rounds it): tick 0'* ]]
    lmp2dh a.lmp | dh2lmp --dialect doom19 --round >b.lmp 2>err
    hexfile 6d "$doom_header" 00 00 00 00  00 00 01 00  00 00 00 00  00 00 80 00  00 00 05 00 80 >want.lmp
    same b.lmp want.lmp
    grep -q '4 turns were rounded' err
}

@test "Hexen 1.0 and 1.1; what a wrapper wraps" {
    lmp2dh "$MADE/hexen.lmp" | dh2lmp --dialect hexen10 >b.lmp
    lmp2dh --dialect hexen10 b.lmp | dh2lmp --dialect hexen >c.lmp 2>err
    same c.lmp "$MADE/hexen.lmp"
    lmp2dh "$MADE/um0.lmp" | dh2lmp --dialect boom >b.lmp
    same b.lmp "$MADE/boom.lmp"
    run --separate-stderr bash -o pipefail -c 'lmp2dh "$0" | dh2lmp --dialect doom19' "$MADE/um.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'no place for um_map'* ]]
    lmp2dh "$MADE/um.lmp" | dh2lmp --lossy --dialect doom19 >b.lmp
    same b.lmp "$MADE/doom19.lmp"
    run --separate-stderr bash -o pipefail -c 'lmp2dh "$0" | dh2lmp --dialect doom19' "$MADE/dsda1.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'slot 0 actions=1: Doom 1.9 has no place for it (--lossy drops it): tick 1'* ]]
    lmp2dh "$MADE/dsda1.lmp" | dh2lmp --lossy --dialect doom19 >b.lmp 2>err
    same b.lmp "$MADE/doom19.lmp"
    grep -q '1 fields of inputs were dropped' err
    run --separate-stderr bash -o pipefail -c 'lmp2dh "$0" | dh2lmp --lossy --dialect doom19' "$MADE/dsda-key.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'starts from a key frame'* ]]
}

@test "other games are not converted" {
    local from to
    while read -r from to; do
        run --separate-stderr bash -o pipefail -c 'lmp2dh "$0" | dh2lmp --dialect "$1"' "$MADE/$from.lmp" "$to"
        [ "$status" = 2 ]
        [[ $stderr == *'cannot be said in'* ]]
    done <<'END'
boom mbf
mbf mbf21
doom19 boom
heretic hexen
bfg longturns
END
}

@test "--viewpoint, --rule, --strip-footer" {
    hexfile 6d 03 01 07 00 00 00 00 00 01 01 00 00 "$two" 80 61 62 >a.lmp
    lmp2dh a.lmp >a.dh
    dh2lmp --viewpoint 1 --strip-footer a.dh >b.lmp
    hexfile 6d 03 01 07 00 00 00 00 01 01 01 00 00 "$two" 80 >want.lmp
    same b.lmp want.lmp
    dh2lmp --rule skill=4 --rule level=32 --rule skill=1 a.dh >b.lmp
    hexfile 6d 01 01 20 00 00 00 00 00 01 01 00 00 "$two" 80 61 62 >want.lmp
    same b.lmp want.lmp
    local options words
    while IFS='|' read -r options words; do
        # shellcheck disable=SC2086
        run --separate-stderr dh2lmp $options a.dh
        show
        [ "$status" = 2 ]
        [[ $stderr == *"$words"* ]]
    done <<'END'
--viewpoint 2|viewpoint 2: the demo has no player there
--rule nosuch=1|no rule of a demo of Doom 1.9: 'nosuch=1'
--rule skill|no rule of a demo of Doom 1.9: 'skill'
--rule skill=x|--rule skill=x: expected a number
--rule skill=256|rule skill=256: expected 0 to 255
--rule player0=0 --rule player1=0|no players
--rule player2=1|rule player2 is set, but slot 2 does not join
--dialect nosuch|no dialect is called 'nosuch'
END
    run --separate-stderr bash -o pipefail -c 'lmp2dh "$0" | dh2lmp --viewpoint 0' "$MADE/heretic.lmp"
    [ "$status" = 2 ]
    [[ $stderr == *'a demo of Heretic has no viewpoint'* ]]
}

# ---- repair ----------------------------------------------------------------------------------------------------------

@test "--repair closes a demo at its last whole tic" {
    hexfile 6d 03 01 07 00 00 00 00 00 01 01 00 00 "$two" "$two" 80 >whole.lmp
    local n want
    # 13 bytes of header, 8 of a tic
    for ((n = 13; n <= 29; n++)); do
        head -c "$n" whole.lmp >a.lmp
        lmp2dh --repair a.lmp 2>err | dh2lmp >got.lmp
        want=$(((n - 13) / 8 * 8 + 13))
        { head -c $want whole.lmp && hexfile 80; } >want.lmp
        same got.lmp want.lmp
        grep -q "closed at tick $(((n - 13) / 8))" err
    done
    # a whole one stays what it is, a partial last tic with its marker too
    lmp2dh --repair whole.lmp 2>err | dh2lmp | cmp - whole.lmp
    [ ! -s err ]
    { head -c 25 whole.lmp && hexfile 80; } >a.lmp
    lmp2dh --repair a.lmp | dh2lmp | cmp - a.lmp
    # no header, no repair
    head -c 12 whole.lmp >a.lmp
    run -1 lmp2dh --repair a.lmp
}

@test "--repair of dsda's format fills in the header" {
    head -c 38 "$MADE/dsda1.lmp" >a.lmp
    lmp2dh --repair a.lmp 2>err | dh2lmp >b.lmp
    { head -c 8 a.lmp && hexfile "$(be32 34)" "$(be32 1)" && tail -c +17 a.lmp | head -c 18 && hexfile 80; } >want.lmp
    same b.lmp want.lmp
    lmp2dh b.lmp | grep -q '^end 1 '
}

# ---- real demos ------------------------------------------------------------------------------------------------------

@test "real demos of all dialects come back" {
    need_file "$SHARED/dialects"
    local f n=0
    for f in "$SHARED"/dialects/*.lmp; do
        round_trip "$f"
        n=$((n + 1))
    done
    echo "$n demos"
    [ $n -ge 29 ]
}

# The commands as the bytes have them, read by awk alone: tick, slot, forward, side, turn, the button byte, and what
# follows it, for a demo of that header, commands of that size, that many players.
by_hand() { # FILE HEADER SIZE PLAYERS
    tail -c +$(($2 + 1)) "$1" | od -An -v -tu1 -w1 | awk -v size="$3" -v players="$4" '
        function s8(v) { return v > 127 ? v - 256 : v }
        { b[n++] = $1 + 0; if (n == 1 && b[0] == 128) exit }
        n == size {
            long = size == 5 || size == 7 || size == 14
            turn = long ? b[2] + 256 * b[3] : 256 * b[2]
            if (turn > 32767) turn -= 65536
            print int(i / players), i % players, s8(b[0]), s8(b[1]), turn
            i++; n = 0
        }'
}

@test "real demos: every command is what its bytes say" {
    need_file "$SHARED/dialects"
    local f header size players end
    while read -r f header size players end; do
        lmp2dh "$SHARED/dialects/$f.lmp" 2>err >a.dh
        dhcat -F tick,slot,forward,side,turn a.dh | tr '\t' ' ' | grep '^[0-9]' >got
        by_hand "$SHARED/dialects/$f.lmp" "$header" "$size" "$players" >want
        same got want || { echo "$f"; false; }
        grep -q "^end $end " a.dh || { echo "$f: $(tail -n 1 a.dh)"; false; }
        [ "$(wc -l <want)" = $((end * players)) ]
    done <<'END'
v106-av09 13 4 1 2586
v109-trailer-1 13 4 1 1131
v109-coop-av01 13 4 2 850
freedoom-demo2_dm 13 4 3 3719
v111-coop-s211 13 5 2 4793
v111-sc14 13 5 1 2590
v202-1 109 4 1 1299
v202-damage 109 4 1 93
v203-1 109 4 1 1523
v214-nuts 109 5 1 1630
etern-hcrunch 126 14 1 819
heretic-h1s1 7 6 1 1036
heretic-blasphemer1 7 6 1 4227
hexen-me1c 19 6 1 96255
END
}

# Bytes of the header at their offsets, as od reads them.
@test "real demos: header fields are what their bytes say" {
    need_file "$SHARED/dialects"
    local f rule at type size n=0
    while read -r f rule at type; do
        size=${type:1:1}
        case $type in
        b4) value=$((16#$(tail -c +$((at + 1)) "$SHARED/dialects/$f.lmp" | head -c 4 | xxd -p))) ;;
        b2) value=$((16#$(tail -c +$((at + 1)) "$SHARED/dialects/$f.lmp" | head -c 2 | xxd -p))) ;;
        *) value=$(od -An -tu"$size" -j "$at" -N "$size" "$SHARED/dialects/$f.lmp" | tr -d ' ') ;;
        esac
        lmp2dh "$SHARED/dialects/$f.lmp" 2>err | grep '^header' | tr ' ' '\n' | grep -qx "rule.$rule=$value" ||
            { echo "$f: rule.$rule is not $value"; false; }
        n=$((n + 1))
    done <<'END'
v106-av09 version 0 u1
v106-av09 level 3 u1
v109-trailer-4 nomonsters 7 u1
freedoom-demo2_dm deathmatch 4 u1
freedoom-demo2_dm viewpoint 8 u1
freedoom-demo2_dm player2 11 u1
v202-1 skill 8 u1
v202-1 level 10 u1
v202-1 rngseed 23 b4
v202-1 distfriend 31 b2
v202-1 comp_telefrag 39 u1
v202-1 comp_stairs 55 u1
v202-1 player0 77 u1
v203-2 nomonsters 21 u1
v203-2 rngseed 23 b4
v203-3 monster_avoid_hazards 34 u1
v214-nuts rngseed 23 b4
v214-nuts comp_doorlight 45 u1
v214-nuts player31 108 u1
etern-hcrunch version 7 u4
etern-hcrunch subversion 11 u1
etern-hcrunch skill 13 u1
etern-hcrunch dmflags 18 u4
etern-hcrunch rngseed 40 b4
etern-hcrunch comp_vile 58 u1
etern-hcrunch autoaim 88 u1
heretic-h1s1 skill 0 u1
heretic-h1s1 level 2 u1
hexen-me1c class0 4 u1
END
    [ $n = 29 ]
}

# dsda-doom plays a demo to its end on any IWAD, in sync or not, and says how many tics that were, and of what
# compatibility.
plays_as() { # FILE
    HOME=$PWD SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy timeout 120 dsda-doom -iwad "$WAD" -timedemo "$1" -nosound -nodraw \
        -noautoload 2>&1 | sed -n 's/^ *Compatibility: //p; s/^Timed \([0-9]*\) .*/\1/p' | tr '\n' ' '
}

@test "an engine counts the same tics, and plays the same version" {
    need_file "$SHARED/dialects"
    need_cmd dsda-doom
    need_wad freedoom2
    local f end name
    while read -r f name; do
        end=$(lmp2dh "$SHARED/dialects/$f.lmp" | sed -n 's/^end \([0-9]*\) .*/\1/p')
        got=$(plays_as "$SHARED/dialects/$f.lmp")
        [ "$got" = "$name $end " ] || { echo "$f: $end tics; the engine says $got"; false; }
    done <<'END'
v106-av09 Doom v1.666
v109-trailer-3 Doom/Doom2 v1.9
v111-sc14 Doom/Doom2 v1.9
v202-damage boom v2.02
v203-4 MBF
v214-nuts Current PrBoom
END
}

# dsda-doom without anybody at the keys, stopped after a second: a demo of that compatibility level, signed.
record() { # LEVEL [OPTION...]
    local level=$1
    shift
    rm -f rec*.lmp
    HOME=$PWD SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy timeout -s INT -k 5 2 dsda-doom -iwad "$WAD" -record rec \
        -complevel "$level" -skill 4 -warp 2 -nosound -nodraw -noautoload "$@" >log 2>&1 || true
    [ -s rec.lmp ] || { cat log; return 1; }
}

@test "demos that an engine records here, of each compatibility level" {
    need_cmd dsda-doom
    need_wad freedoom2
    local level game version words options
    while read -r level game version options; do
        # shellcheck disable=SC2086
        record "$level" $options
        lmp2dh rec.lmp >rec.dh
        grep '^header' rec.dh | tr ' ' '\n' >words
        for word in "game=$game" "rule.version=$version" rule.skill=3 rule.level=2 rule.player0=1 option.signature=valid \
            option.iwad=freedoom2.wad; do
            grep -qx "$word" words || { echo "$level: no $word"; cat words; false; }
        done
        [ "$game" = dsda ] || [ "$(plays_as rec.lmp | sed 's/.* \([0-9]*\) $/\1/')" = "$(sed -n 's/^end \([0-9]*\) .*/\1/p' rec.dh)" ]
        round_trip rec.lmp
        [ ! -s rt.err ]
    done <<'END'
1 doom 106
2 doom 109
2 doom 111 -longtics
9 boom 202
11 mbf 203
17 prboom 214
21 mbf21 221
2 dsda 109 -dsdademo
9 dsda 202 -dsdademo
21 dsda 221 -dsdademo
END
}

# ---- damage ----------------------------------------------------------------------------------------------------------

corpus() { # all that is there
    printf '%s\n' "$MADE"/*.lmp "$DATA"/*.lmp
    [ ! -e "$SHARED/dialects" ] || printf '%s\n' "$SHARED"/dialects/*.lmp
}

@test "damaged demos: an error, or the same bytes back; never a crash, a hang, or 64 MiB" {
    mapfile -t files < <(corpus)
    mutate -n 6000 lmp "${files[@]}"
    mutate -n 3000 dem "$ROOT"/tests/fuzz/seeds/*.dem
}

@test "the same under sanitizers" {
    echo 'int main(void) { return 0; }' >a.c
    ${SAN_CC:-cc} -fsanitize=address,undefined -o a a.c && ./a || skip "no sanitizers with ${SAN_CC:-cc}"
    local sources=() f
    for f in "$ROOT"/lib/*.c "$ROOT"/lib/lmp/*.c "$ROOT"/lib/dem/*.c "$ROOT"/tests/tools/mutate/*.c; do
        [ "${f##*/}" = worlds.c ] || sources+=("$f") # which knows all worlds
    done
    ${SAN_CC:-cc} -std=gnu11 -O1 -g -w -fsanitize=address,undefined -fno-sanitize-recover=all -DLIBBSD_OPENBSD_VIS \
        -D_FILE_OFFSET_BITS=64 -I"$ROOT/lib" -o mutate.san "${sources[@]}" -lmd -lbsd -lnettle -lm
    mapfile -t files < <(corpus)
    ./mutate.san -n 2000 -s 3 lmp "${files[@]}"
    ./mutate.san -n 1000 -s 3 dem "$ROOT"/tests/fuzz/seeds/*.dem
}
