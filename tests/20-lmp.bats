#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# lmp2dh and dh2lmp. The demos here are made byte by byte; real ones are read where they are.

# shellcheck disable=SC2154 # run sets stderr

load lib
load dialects

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# The 13 bytes of a header, then the hex that follows.
lmp() { # VERSION PRESENCE-BYTES HEX... > FILE
    local header
    # shellcheck disable=SC2086 # a word a player
    printf -v header '%02x 02 01 01 00 00 00 00 00 %02x %02x %02x %02x' "$1" $2
    shift 2
    hexfile "$header" "$@"
}

inputs() { # FILE: the input lines alone
    lmp2dh "$1" 2>/dev/null | grep '^input' || true
}

# dh2lmp refuses standard input with status 2 and says that.
refused() { # WORDS...
    got=0
    dh2lmp >out 2>err || got=$?
    [ $got = 2 ] || { echo "status $got, want 2"; cat err; return 1; }
    local word
    for word; do
        grep -qF -- "$word" err || { echo "no '$word' in: $(cat err)"; return 1; }
    done
}

# ---- what a file can be ----------------------------------------------------------------------------------------------

@test "zero tics" {
    lmp 109 '1 0 0 0' 80 >a.lmp
    round_trip a.lmp
    lmp2dh a.lmp >a.dh
    [ "$(grep -c ^input a.dh)" = 0 ]
    [ "$(tail -n 1 a.dh)" = 'end 0 reason=stop' ]
}

@test "the header's bytes are rules, joins are the players" {
    hexfile 6d 03 02 07 01 05 ff 01 02 00 09 00 01 80 >a.lmp
    round_trip a.lmp
    lmp2dh a.lmp >a.dh
    [ "$(head -n 1 a.dh)" = 'dhdm 1' ]
    local rule
    for rule in version=109 skill=3 episode=2 level=7 deathmatch=1 respawn=5 fast=255 nomonsters=1 viewpoint=2 player1=9 player3=1; do
        grep -qE "^header .*rule\.$rule( |$)" a.dh || { echo "no $rule"; false; }
    done
    grep -qE '^header game=doom .*rate=35 interval=175 start=0' a.dh
    [ "$(grep ^join a.dh | cut -d' ' -f1-4)" = "$(printf 'join 0 1 wire=1\njoin 0 3 wire=3')" ]
}

@test "version 109: four bytes a command, the turn is the high byte" {
    lmp 109 '1 0 0 0' 32 00 0a 01 e8 d8 80 00 80 >a.lmp
    round_trip a.lmp
    run inputs a.lmp
    [ "$output" = 'input 0 0 forward=50 turn=2560 buttons=attack
input 1 0 forward=-24 side=-40 turn=-32768' ]
}

@test "version 111: five bytes a command, the turn is all of it, low byte first" {
    lmp 111 '1 0 0 0' 32 00 0a 01 02 e8 d8 ff ff 00 80 >a.lmp
    round_trip a.lmp
    run inputs a.lmp
    [ "$output" = 'input 0 0 forward=50 turn=266 buttons=use
input 1 0 forward=-24 side=-40 turn=-1' ]
}

@test "two players: a command each a tic, in slot order" {
    lmp 109 '1 0 1 0' 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 80 >a.lmp
    round_trip a.lmp
    run inputs a.lmp
    [ "$output" = 'input 0 0 forward=1
input 0 2 forward=2
input 1 0 forward=3
input 1 2 forward=4' ]
}

@test "all player masks, both versions" {
    local mask v one all i n=0
    for v in 109 111; do
        one='01 02 03 04'
        [ $v = 109 ] || one='01 02 03 04 05'
        for mask in {1..15}; do
            all=
            for i in 0 1 2 3; do
                [ $((mask >> i & 1)) = 0 ] || all+=" $one $one"
            done
            lmp $v "$((mask & 1)) $((mask >> 1 & 1)) $((mask >> 2 & 1)) $((mask >> 3 & 1))" "$all 80" >a.lmp
            round_trip a.lmp
            grep -q '^end 2 ' rt.dh
            n=$((n + 1))
        done
    done
    [ $n = 30 ]
}

@test "no players: corrupt" {
    lmp 109 '0 0 0 0' 80 >a.lmp
    run --separate-stderr lmp2dh a.lmp
    show
    [ "$status" = 2 ]
    [ -z "$output" ]
    [[ $stderr == 'lmp2dh: a.lmp: no players in the header of Doom 1.9: '*'byte 9' ]]
}

@test "no marker: truncated, every whole command passed on, no end" {
    lmp 109 '1 0 0 0' 01 00 00 00 02 00 00 00 03 00 >a.lmp
    run --separate-stderr lmp2dh a.lmp
    show
    [ "$status" = 1 ]
    [[ $stderr == 'lmp2dh: a.lmp: truncated: '*'tick 2, byte 23' ]]
    [ "$(grep -c ^input <<<"$output")" = 2 ]
    run ! grep -q ^end <<<"$output"
    round_trip a.lmp 1
}

@test "a partial last tic: carried, and the end is before it" {
    lmp 109 '1 1 0 0' 01 00 00 00 02 00 00 00 03 00 00 00 80 >a.lmp
    round_trip a.lmp
    [ "$(lmp2dh a.lmp | tail -n 2)" = "$(printf 'input 1 0 forward=3\nend 1 reason=stop')" ]
    # without its marker too
    lmp 109 '1 1 0 0' 01 00 00 00 02 00 00 00 03 00 00 00 >a.lmp
    round_trip a.lmp 1
}

@test "the marker counts before every command, and only there" {
    # 80 as side, turn and buttons is a value; as the second player's first byte it ends the demo
    lmp 109 '1 1 0 0' 01 80 80 80 80 00 00 00 01 >a.lmp
    round_trip a.lmp
    lmp2dh a.lmp >a.dh
    [ "$(grep -c ^input a.dh)" = 1 ]
    grep -q '^input 0 0 forward=1 side=-128 turn=-32768 spare=0x80$' a.dh
    grep -q '^end 0 ' a.dh
}

@test "trailing bytes are kept, of any number" {
    local n
    for n in 1 2 3 4 5 6 4096 65535 65536 65537 200000; do
        { lmp 109 '1 0 0 0' 01 00 00 00 80 && head -c $n /dev/urandom; } >a.lmp
        round_trip a.lmp
        lmp2dh a.lmp | tail -n 1 | grep -q '^end 1 '
        [ "$(lmp2dh a.lmp | grep -c '^origin .*part=tail')" = $(((n + 65535) / 65536)) ]
    done
}

@test "a header cut short: incomplete, nothing written" {
    local n
    lmp 109 '1 0 0 0' 80 >whole.lmp
    for n in {1..12}; do
        head -c "$n" whole.lmp >a.lmp
        run --separate-stderr lmp2dh a.lmp
        show
        [ "$status" = 1 ]
        [ -z "$output" ]
        [[ $stderr == "lmp2dh: a.lmp: truncated: $n bytes, and the header of Doom 1.9 is not over: expected "*": byte $n" ]]
    done
}

@test "every prefix comes back, with status 1 until it is whole" {
    local n
    lmp 111 '0 1 1 0' 01 02 03 04 05 11 12 13 14 15 21 22 23 24 25 31 32 33 34 35 80 61 62 63 >whole.lmp
    # all of them in one process, to text and to binary; those at the borders through the tools
    mutate -p lmp whole.lmp
    for n in 13 14 17 18 19 22 23 24 33; do
        head -c "$n" whole.lmp >a.lmp
        round_trip a.lmp 1
    done
    for n in 34 35 37; do
        head -c "$n" whole.lmp >a.lmp
        round_trip a.lmp 0
    done
    [ "$(wc -c <whole.lmp)" = 37 ]
}

@test "every prefix of the text gives a prefix of the demo" {
    local n
    lmp 109 '1 1 0 0' 01 02 03 05 11 12 13 01 21 22 23 02 31 32 33 04 80 >whole.lmp
    lmp2dh whole.lmp >whole.dh
    mutate -t lmp whole.lmp # all of them, in one process
    for ((n = 0; n < $(wc -c <whole.dh); n += 97)); do
        head -c "$n" whole.dh >a.dh
        got=0
        dh2lmp a.dh >a.lmp 2>err || got=$?
        [ $got = 1 ] || { echo "$n bytes: status $got"; cat err; false; }
        cmp -n "$(wc -c <a.lmp)" a.lmp whole.lmp
    done
}

@test "dialects that are not read are named" {
    local line hex name n=0
    while IFS='|' read -r hex name; do
        hexfile "$hex" 00 00 00 00 00 00 00 00 00 00 00 00 >a.lmp
        run --separate-stderr lmp2dh a.lmp
        show
        [ "$status" = 2 ]
        [ -z "$output" ]
        [[ $stderr == "lmp2dh: a.lmp: unsupported dialect: $name"* ]]
        n=$((n + 1))
    done <<'END'
ff 1d 44 53 44 41 e6 04|dsda-doom of a later format
5a 44 45 4d|ZDoom
46 4f 52 4d 00 00 00 00 5a 44 45 4d|ZDoom
5a 44 44 00|ZDaemon
4f 44 41 44|Odamex
44 4d 36 34|Doom64 EX
81|Doom Legacy
90|Doom Legacy
END
    [ $n = 8 ]
}

@test "what is no demo is named" {
    local hex name
    while IFS='|' read -r hex name; do
        hexfile "$hex" 00 00 00 00 00 00 00 00 00 00 00 00 >a.lmp
        run --separate-stderr lmp2dh a.lmp
        show
        [ "$status" = 2 ]
        [[ $stderr == "lmp2dh: a.lmp: not a demo: $name"* ]]
    done <<'END'
49 57 41 44|a WAD
50 57 41 44|a WAD
50 4b 03 04|a zip archive
00 05 16 07|an AppleDouble file
44 48 44 4d|a record stream already
64 68 64 6d 20 31 0a|a record stream already
00 05 16 00|an AppleSingle file
50 4b 05 06|an empty zip archive
1f 8b 08 00|a gzip file
52 61 72 21 1a 07|a rar archive
37 7a bc af 27 1c|a 7z archive
89 50 4e 47 0d 0a|a PNG image
ff d8 ff e0|a JPEG image
ff fe 48 00|text in UTF-16
4d 5a 90 00|a DOS or Windows program
7f 45 4c 46|an ELF program
44 45 4d 1a|a Blood demo
4d 01 01 01|no known one begins with byte 77
cb 1d 58 58 58 58 58|no known one begins with byte 203
END
    # a letter from h to o is a version, too: no demo's header is text
    local text
    for text in 'hello there' 'my first demo, recorded with' 'eine Aufnahme' 'Doom II run in 29:39' 'e\tf\r\ng' 'ol\xc3\xa9 ol\xc3\xa9'; do
        printf '%b' "$text" >a.lmp
        run --separate-stderr lmp2dh a.lmp
        show
        [ "$status" = 2 ]
        [[ $stderr == "lmp2dh: a.lmp: not a demo: text"* ]]
    done
}

# ---- the button byte -------------------------------------------------------------------------------------------------

@test "all 256 button bytes come back" {
    local all
    all=$(printf '00 00 00 %02x ' {0..255})
    lmp 109 '1 0 0 0' "$all" 80 >a.lmp
    round_trip a.lmp
    [ "$(inputs a.lmp | cut -d' ' -f4- | sort -u | wc -l)" = 256 ]
}

@test "buttons by their names" {
    lmp 109 '1 0 0 0' 00000003 00000004 00000015 0000003c 00000081 00000082 00000096 00000010 80 >a.lmp
    run inputs a.lmp
    [ "$output" = 'input 0 0 buttons=attack,use
input 1 0 weapon=fist
input 2 0 buttons=attack weapon=shotgun
input 3 0 weapon=chainsaw
input 4 0 buttons=pause
input 5 0 save=slot0
input 6 0 save=slot5
input 7 0 spare=0x10' ]
}

# ---- edits -----------------------------------------------------------------------------------------------------------

# The edit gives the demo with these bytes changed: edit AWK OFFSET HEX [OFFSET HEX]...
edit() {
    local program=$1
    shift
    cp whole.lmp want.lmp
    while [ $# -gt 0 ]; do
        hexfile "$2" | dd of=want.lmp bs=1 seek="$1" conv=notrunc status=none
        shift 2
    done
    lmp2dh whole.lmp | awk "$program" | dh2lmp >got.lmp
    same got.lmp want.lmp && ! cmp -s got.lmp whole.lmp
}

@test "an edit changes exactly its bytes" {
    lmp 109 '1 1 0 0' 01 02 03 01 11 12 13 82 21 22 23 15 31 32 33 81 80 61 62 >whole.lmp
    edit '/^header/ { sub(/rule.skill=2/, "rule.skill=4") } 1' 1 04
    edit '/^header/ { sub(/rule.level=1/, "rule.level=30") } 1' 3 1e
    edit '/^header/ { sub(/rule.fast=0/, "rule.fast=7") } 1' 6 07
    edit '/^header/ { sub(/rule.viewpoint=0/, "rule.viewpoint=1") } 1' 8 01
    edit '/^header/ { sub(/rule.player1=1/, "rule.player1=255") } 1' 10 ff
    edit '/^input 0 1/ { sub(/forward=17/, "forward=-127") } 1' 17 81
    edit '/^input 0 0/ { sub(/side=2/, "side=-128") } 1' 14 80
    edit '/^input 1 1/ { sub(/turn=[0-9]*/, "turn=-256") } 1' 27 ff
    edit '/^input 1 0/ { sub(/turn=[0-9]* /, "") } 1' 23 00
    edit '/^input 0 0/ { sub(/buttons=attack/, "buttons=use") } 1' 16 02
    edit '/^input 1 0/ { sub(/weapon=shotgun/, "weapon=bfg") } 1' 24 35
    edit '/^input 1 0/ { sub(/buttons=attack/, "buttons=attack,use") } 1' 24 17
    edit '/^input 0 1/ { sub(/save=slot0/, "save=slot3") } 1' 20 8e
    edit '/^input 0 1/ { sub(/save=slot0/, "buttons=attack") } 1' 20 01
    edit '/^input 1 1/ { sub(/buttons=pause/, "save=slot7") } 1' 28 9e
    edit '/^input 1 1/ { sub(/ buttons=pause/, "") } 1' 28 00
    edit '/^origin/ { sub(/hex=0x6162/, "hex=0x4162") } 1' 30 41
}

@test "the version decides the layout" {
    lmp 109 '1 0 0 0' 01 02 03 04 11 12 f3 80 80 61 >a.lmp
    lmp 111 '1 0 0 0' 01 02 00 03 04 11 12 00 f3 80 80 61 >b.lmp
    lmp2dh a.lmp | sed '/^header/s/version=109/version=111/' | dh2lmp >got.lmp
    same got.lmp b.lmp
    lmp2dh b.lmp | sed '/^header/s/version=111/version=109/' | dh2lmp >got.lmp
    same got.lmp a.lmp
}

# ---- what dh2lmp passes over and refuses -----------------------------------------------------------------------------

@test "states, resources, events and logs are passed over, keys come in any order" {
    lmp 109 '1 1 0 0' 01 02 03 04 11 12 13 05 80 61 >a.lmp
    lmp2dh a.lmp | awk '
        /^schema input/ { print; print "schema state rng:u8"; print "schema Imp,snapshot.Imp x:fix"; next }
        /^header/ { print; print "resource role=iwad name=x.wad size=1 sha256=0x" z(64) " md5=0x" z(32); print "event 0 final 0 x=1"; next }
        /^input 0 0/ {
            print "checkpoint 0 - entities=1 rng=3"; print "checkpoint 0 Imp@1 x=0.5"
            print "snapshot 0 - entities=1 rng=4"; print "snapshot 0 Imp@1 x=1.5"
            print "log 0 world text=hello"
            print "input 0 0 " $NF " turn=768 side=2 forward=1"
            next
        }
        { print }
        function z(n,   s) { while (n--) s = s "0"; return s }' >a.dh
    cat a.dh
    dh2lmp a.dh >got.lmp
    same got.lmp a.lmp
}

@test "through the world and back" {
    need_wad freedoom2
    lmp2dh "$WAD:DEMO1" >a.dh
    dh2lmp a.dh >a.lmp
    dhsim --iwad "$WAD" a.dh >b.dh
    grep -q ^snapshot b.dh
    dh2lmp b.dh >got.lmp
    same got.lmp a.lmp
    dhsim -b --digest --checkpoint --iwad "$WAD" a.dh | dh2lmp >got.lmp
    same got.lmp a.lmp
}

@test "what no demo can say is refused, with tick and line" {
    lmp 109 '1 1 0 0' 01 02 03 01 11 12 13 81 21 22 23 15 31 32 33 81 80 >a.lmp
    lmp2dh a.lmp >a.dh
    sed 's/game=doom/game=dh/' a.dh | refused 'game=dh' line
    sed '/^header/s/start=0/start=175/' a.dh | refused 'starts from a checkpoint' line
    sed '/^header/s/fresh=1/fresh=0/' a.dh | refused 'starts from a checkpoint'
    sed '/^header/s/version=109/version=112/' a.dh | refused 'version is 112' 'expected'
    sed '/^header/s/player0=1/player0=0/; /^header/s/player1=1/player1=0/' a.dh | refused 'no players'
    sed '/^header/s/player1=1/player1=0/' a.dh | refused 'slot 1 joins' 'tick 0, line'
    sed '/^join 0 1/d' a.dh | refused 'rule player1' 'slot 1 does not join'
    sed '/^input 0 1/d' a.dh | refused 'input missing: tick 0 slot 1 expected' 'tick 1, line'
    sed '/^input 1 1/d' a.dh | refused 'input missing: tick 1 slot 1 expected' # the end says that tick 1 was whole
    sed '/^input 1 1/s/^input 1 1/input 1 2/' a.dh | refused 'slot 2' 'no player' 'tick 1, line'
    sed 's/^end 2/end 1/' a.dh | refused 'end at tick 1'
    sed 's/^end 2/end 3/' a.dh | refused 'input missing: tick 2 slot 0'
    sed '/^input 1 0/s/turn=8960/turn=8961/' a.dh | refused 'turn=8961' 'multiple of 256' 'slot 0' 'tick 1, line'
    sed '/^input 1 0/s/forward=33/forward=-128/' a.dh | refused 'forward=-128' 'end marker' 'tick 1, line'
    sed '/^input 1 1/s/forward=49/forward=-128/' a.dh | refused 'forward=-128'
    sed '/^input 0 1/s/buttons=pause/buttons=attack,pause/' a.dh | refused 'no button byte' 'tick 0, line'
    sed '/^input 1 0/s/weapon=shotgun/weapon=shotgun spare=0x08/' a.dh | refused 'no button byte'
    sed '/^input 1 0/s/weapon=shotgun/weapon=shotgun save=slot1/' a.dh | refused 'no button byte'
    sed '/^input 1 0/i\
leave 1 1' a.dh | refused 'slot 1 leaves' 'tick 1, line'
    sed '/^input 1 0/i\
join 1 1 wire=1 name=' a.dh | refused 'joins at tick 1'
    sed '/^schema rule/s/$/ turbo:u8/; /^header/s/$/ rule.turbo=1/' a.dh | refused 'turbo'
    sed '/^schema input/s/$/ look:i8/' a.dh | refused 'look'
    sed '/^schema input/s/side:i8/side:i16/' a.dh | refused 'side'
    sed '/^schema input/s/attack,use/use,attack/' a.dh | refused 'buttons'
    cat a.dh a.dh | refused 'second stream'
}

@test "origin part=head has no place, inputs after the tail neither" {
    lmp 109 '1 0 0 0' 01 02 03 01 11 12 13 81 80 61 62 >a.lmp
    lmp2dh a.lmp >a.dh
    sed 's/part=tail/part=head/' a.dh | refused 'part=head'
    awk '/^origin/ { next } { print } /^input 0/ { print o }' o="$(grep ^origin a.dh)" a.dh | refused 'after origin'
}

@test "an empty stream, one without end: incomplete" {
    run --separate-stderr dh2lmp /dev/null
    [ "$status" = 1 ]
    [ -z "$output" ]
    lmp 109 '1 0 0 0' 01 02 03 01 80 >a.lmp
    lmp2dh a.lmp | sed '$d' >a.dh
    got=0
    dh2lmp a.dh >got.lmp || got=$?
    [ $got = 1 ]
    head -c 17 a.lmp >want.lmp
    same got.lmp want.lmp
}

# ---- lumps -----------------------------------------------------------------------------------------------------------

# A WAD of two lumps by one name and an empty one between: bytes by hand.
make_wad() {
    hexfile 50574144 03000000 2a000000 \
        6d02010100000000000100000080 '# DEMO1: 14 bytes at 12' \
        6d04010100000000000100000061 '# unterminated: at 26' 8080 \
        0c000000 0e000000 44454d4f31000000 \
        00000000 00000000 454d505459000000 \
        1a000000 0f000000 64656d6f31007878 >x.wad
}

@test "wad:LUMP: the last of a name, in any case" {
    make_wad
    local lump
    for lump in DEMO1 demo1 Demo1; do
        lmp2dh "x.wad:$lump" | grep -q '^header .*rule.skill=4'
    done
    # the lump's own bytes and no more: 61 and 80 are the demo's last two, so a command is cut
    run --separate-stderr lmp2dh x.wad:DEMO1
    show
    [ "$status" = 1 ]
    [[ $stderr == 'lmp2dh: x.wad:DEMO1: truncated: '*'byte 15' ]]
}

@test "wad:LUMP: errors are named" {
    make_wad
    fails() { # OPERAND WORDS [STATUS]
        run --separate-stderr lmp2dh "$1"
        show
        [ "$status" = "${3:-2}" ] && [ -z "$output" ] && [[ $stderr == "lmp2dh: $1: "*"$2"* ]]
    }
    fails x.wad:DEMO2 'no lump DEMO2'
    fails x.wad:EMPTY 'empty' 1
    fails x.wad:LONGERTHAN8 'expected 1 to 8 characters'
    fails x.wad: 'expected 1 to 8 characters'
    fails x.wad 'not a demo: a WAD'
    fails y.wad:DEMO1 'No such file'
    fails .:DEMO1 'not a regular file'
    head -c 11 x.wad >short.wad
    fails short.wad:DEMO1 'not a WAD: 11 bytes'
    head -c 80 x.wad >short.wad
    fails short.wad:DEMO1 'truncated WAD: a directory of 3 lumps'
    { hexfile 50574144 ffffffff 0c000000 && head -c 32 /dev/zero; } >bad.wad
    fails bad.wad:DEMO1 'truncated WAD: a directory of 4294967295 lumps'
    hexfile 50574144 01000000 0c000000 ffffff7f 10000000 44454d4f31000000 >bad.wad
    fails bad.wad:DEMO1 'truncated WAD: lump DEMO1'
    hexfile 50574144 01000000 0c000000 0c000000 ffffffff 44454d4f31000000 >bad.wad
    fails bad.wad:DEMO1 'truncated WAD: lump DEMO1'
    hexfile 4d5a0000 01000000 0c000000 >bad.wad
    fails bad.wad:DEMO1 'not a WAD: expected IWAD or PWAD'
}

@test "a file whose name has a colon is that file" {
    lmp 109 '1 0 0 0' 80 >run:1
    round_trip run:1
    make_wad
    cp x.wad a:b.wad
    lmp2dh a:b.wad:DEMO1 2>/dev/null | grep -q '^header .*rule.skill=4'
}

# ---- as filters ------------------------------------------------------------------------------------------------------

@test "standard input, with and without -" {
    lmp 109 '1 0 0 0' 01 02 03 04 80 61 >a.lmp
    lmp2dh a.lmp >want.dh
    lmp2dh <a.lmp >got.dh
    same got.dh want.dh
    (head -c 9 a.lmp && sleep 0.1 && tail -c +10 a.lmp) | lmp2dh - >got.dh
    same got.dh want.dh
    dh2lmp - <want.dh >got.lmp
    same got.lmp a.lmp
}

@test "-u writes every record at once" {
    lmp 109 '1 0 0 0' 01 02 03 04 11 12 13 04 80 61 >a.lmp
    mkfifo in out1
    lmp2dh -u <in >out1 &
    exec 5>in 6<out1
    head -c 17 a.lmp >&5
    local line='' seen=
    while read -r -t 10 line <&6; do
        seen+="$line"$'\n'
        [[ $line != 'input 0 0 '* ]] || break
    done
    [[ $line == 'input 0 0 '* ]]
    tail -c +18 a.lmp >&5
    exec 5>&-
    { printf '%s' "$seen" && cat <&6; } >got.dh
    exec 6<&-
    wait $!
    # what a footer says is known at the end alone
    lmp2dh a.lmp | sed '/^schema option/d; s/ option\.[^ ]*//g' >want.dh
    same got.dh want.dh
    dh2lmp -u got.dh >got.lmp
    same got.lmp a.lmp
}

@test "a full disk: status 2" {
    [ -e /dev/full ] || skip "no /dev/full here"
    lmp 109 '1 0 0 0' 01 02 03 04 80 >a.lmp
    lmp2dh a.lmp >a.dh
    run lmp2dh a.lmp
    local command
    for command in 'lmp2dh a.lmp' 'lmp2dh -b a.lmp' 'lmp2dh -u a.lmp' 'dh2lmp a.dh' 'dh2lmp -u a.dh'; do
        got=0
        $command >/dev/full 2>err || got=$?
        [ $got = 2 ]
        grep -q "^${command%% *}: standard output: " err
    done
}

@test "binary is not written to a terminal" {
    need_cmd script
    lmp 109 '1 0 0 0' 01 02 03 04 80 >a.lmp
    lmp2dh a.lmp >a.dh
    local command
    for command in 'lmp2dh -b a.lmp' 'dh2lmp a.dh'; do
        run script -qec "$command" /dev/null
        show
        [ "$status" = 2 ]
        [[ $output == *'terminal'* ]]
    done
}

@test "two operands: misuse" {
    run --separate-stderr lmp2dh a b
    [ "$status" = 2 ]
    run --separate-stderr dh2lmp a b
    [ "$status" = 2 ]
}

@test "memory does not grow with the demo" {
    ! grep -q -e -fsanitize "$DH_BIN/obj/flags" || skip "sanitizers reserve address space of their own"
    { lmp 109 '1 0 0 0' && head -c 8000000 /dev/zero && hexfile 80 && head -c 48000000 /dev/zero; } >big.lmp
    (ulimit -v 32768 && lmp2dh -b big.lmp >big.dh)
    (ulimit -v 32768 && dh2lmp big.dh) | cmp - big.lmp
}

# ---- real demos ------------------------------------------------------------------------------------------------------

@test "every DEMO lump of the free IWADs comes back" {
    local name i wad at from size seen=0 missing=()
    for name in freedoom1 freedoom2 freedm; do
        wad=$(free_wad $name) || { missing+=("$name.wad"); continue; }
        for i in 1 2 3 4; do
            # the lump by other means: its entry is where the name stands last, after the offset and the size
            at=$(LC_ALL=C grep -abo "DEMO$i" "$wad" | tail -n 1 | cut -d: -f1)
            read -r from size < <(od -An -tu4 -j $((at - 8)) -N 8 "$wad")
            tail -c +$((from + 1)) "$wad" | head -c "$size" >lump.lmp
            round_trip lump.lmp
            lmp2dh -b "$wad:DEMO$i" | dh2lmp >got.lmp
            same got.lmp lump.lmp
            seen=$((seen + 1))
        done
    done
    [ ${#missing[@]} = 0 ] || skip "not installed: ${missing[*]} (the other $seen lumps do)"
    [ $seen = 12 ]
}

@test "real demos of versions 109 and 111 come back" {
    need_file "$SHARED"
    local f n=0
    for f in "$SHARED"/quickcheck/*.lmp "$SHARED"/dialects/v109*.lmp "$SHARED"/dialects/v111*.lmp; do
        round_trip "$f"
        n=$((n + 1))
    done
    echo "$n demos"
    [ $n -ge 13 ]
}
