#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dem2dh and dh2dem. No real file can be had; the demos here are made byte by byte after the layout of the document and of
# the engines.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# ---- making them -----------------------------------------------------------------------------------------------------

# Hex from lines: `i2 5 -1` numbers of so many bytes, little-endian; `t16 TEXT` and `x16 HEX`, filled up with zeros; `x HEX`.
# One process for a whole header.
pack() {
    LC_ALL=C awk '
        BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = sprintf("%02x", i) }
        function filled(hex) { while (length(hex) < 2 * size) hex = hex "00"; print hex }
        { size = substr($1, 2) + 0 }
        /^i/ {
            for (f = 2; f <= NF; f++) {
                n = $f
                for (i = 0; i < size; i++) {
                    byte = (n % 256 + 256) % 256
                    printf "%02x", byte
                    n = (n - byte) / 256
                }
            }
            print ""
        }
        /^t/ {
            text = substr($0, length($1) + 2)
            hex = ""
            for (i = 1; i <= length(text); i++) hex = hex code[substr(text, i, 1)]
            filled(hex)
        }
        /^x/ { filled($2) }'
}

# A header as hex. What varies is set by NAME=VALUE: version (minor, hex), build (empty: a header of 407 bytes), count,
# players, me, head, points (eight), level (hex, filled up to 144 bytes).
header() { # [NAME=VALUE]...
    local version=15 build=4 count=0 players=1 me=0 head=0 points='-1 2 3 4 5 6 7 -1' level=45314d3100deadbeef # E1M1
    [ $# = 0 ] || local "$@"
    # nGameType nDifficulty, nEpisode nLevel; zLevelName, zLevelSong, nTrackNumber; two names; nSaveGameSlot, picEntry,
    # uMapCRC; and the settings
    pack <<END
x 44454d1a${version}01
i4 $build
i4 $count $players
i2 $me $head $points
x 0103
i4 2 7
x144 $level
t144 CBLOOD 1.MID
i4 -5
t16 GAME0000.SAV
t16 0123456789abcdef
i2 -2
i4 2518
x efbeadde01
i4 $((0x12)) $((0x80000001))
x 02030405
i4 1800 1801 1802 -1
END
}

# An input as hex: sync forward turn strafe buttons keys use newWeapon mlook.
input() {
    pack <<END
i4 $(($1))
i1 $2
i2 $3
i1 $4
i4 $(($5)) $(($6)) $(($7))
i1 $8 $9
END
}

# Inputs that can be told apart: their forward is counted from 1.
inputs() { # NUMBER
    LC_ALL=C awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "00000000%02x%034d\n", i % 256, 0 }'
}

# Through text and through binary, from a file and from a pipe: the same bytes, the same status (of both tools).
round_trip() { # FILE [STATUS]
    thereback dem2dh dh2dem "${2:-0}" "$1" text -b pipe
}

# A tool refuses standard input with status 2 and says that.
refused() { # TOOL WORDS...
    local tool=$1 got=0 word
    shift
    "$tool" >out 2>err || got=$?
    [ $got = 2 ] || { echo "status $got, want 2"; cat err; return 1; }
    for word; do
        grep -qF -- "$word" err || { echo "no '$word' in: $(cat err)"; return 1; }
    done
    case $tool in dem2dh) [ ! -s out ] ;; esac
}

# ---- reading ---------------------------------------------------------------------------------------------------------

@test "the maker makes what the layout says" {
    hexfile "$(header)" >a.dem
    [ "$(wc -c <a.dem)" = 411 ]
    hexfile "$(header build= version=00)" >a.dem
    [ "$(wc -c <a.dem)" = 407 ]
    input 1 2 3 4 5 6 7 8 9 | hexfile >i
    [ "$(wc -c <i)" = 22 ]
}

@test "every header field by its name" {
    hexfile "$(header count=1)" "$(inputs 1)" >a.dem
    round_trip a.dem
    dem2dh a.dem >a.dh
    grep -q '^header game=blood map=E1M1 rate=30 interval=150 start=0 fresh=1 ' a.dh
    local rule
    for rule in versionMinor=21 versionMajor=1 nBuild=plasmapak nInputCount=1 nNetPlayers=1 nMyConnectIndex=0 nConnectHead=0 \
        connectPoint0=-1 connectPoint1=2 connectPoint6=7 connectPoint7=-1 nGameType=coop nDifficulty=3 nEpisode=2 nLevel=7 \
        zLevelName=E1M1 zLevelNameRest=0xdeadbeef 'zLevelSong=CBLOOD\0401.MID' zLevelSongRest= nTrackNumber=-5 \
        szSaveGameName=GAME0000.SAV szSaveGameNameRest= szUserGameName=0123456789abcdef szUserGameNameRest= \
        nSaveGameSlot=-2 picEntry=2518 uMapCRC=0xdeadbeef nMonsterSettings=1 uGameFlags=0x00000012 \
        uNetGameFlags=0x80000001 nWeaponSettings=2 nItemSettings=3 nRespawnSettings=4 nTeamSettings=5 \
        nMonsterRespawnTime=1800 nWeaponRespawnTime=1801 nItemRespawnTime=1802 nSpecialRespawnTime=-1; do
        grep '^header ' a.dh | tr ' ' '\n' | grep -qxF "rule.$rule" || { echo "no $rule"; false; }
    done
    [ "$(grep '^header ' a.dh | tr ' ' '\n' | grep -c '^rule')" = 42 ]
}

@test "inputs: every flag by its name, spare bits kept" {
    hexfile "$(header count=5)" "$(input 0x3f -128 -32768 127 0x3f 0x7fff 0xf 255 -1)" \
        "$(input 0 0 0 0 0 0 0 0 0)" "$(input 0x80000040 1 -1 -1 0x40 0x8000 0x10 1 1)" \
        "$(input 1 0 0 0 1 0 0 0 0)" "$(input 32 10 256 -10 12 2049 2 7 -100)" >a.dem
    round_trip a.dem
    [ "$(dem2dh a.dem | grep ^input)" = "input 0 0 sync=buttonChange,keyChange,useChange,weaponChange,mlookChange,run forward=-128 turn=-32768 strafe=127 buttons=jump,crouch,shoot,shoot2,lookUp,lookDown keys=action,jab,prevItem,nextItem,useItem,prevWeapon,nextWeapon,holster,lookCenter,lookLeft,lookRight,spin180,pause,quit,restart use=beastVision,crystalBall,jumpBoots,medKit newWeapon=255 mlook=-1
input 1 0
input 2 0 sync=0x80000040 forward=1 turn=-1 strafe=-1 buttons=0x40 keys=0x8000 use=0x10 newWeapon=1 mlook=1
input 3 0 sync=buttonChange buttons=jump
input 4 0 sync=run forward=10 turn=256 strafe=-10 buttons=shoot,shoot2 keys=action,spin180 use=crystalBall newWeapon=7 mlook=-100" ]
    dem2dh a.dem | tail -n 1 | grep -qx 'end 5 reason=stop'
}

@test "each of the 176 bits of an input comes back" {
    local all
    all=$(awk 'BEGIN {
        for (bit = 0; bit < 176; bit++)
            for (byte = 0; byte < 22; byte++)
                printf "%02x", int(bit / 8) == byte ? 2 ^ (bit % 8) : 0
    }')
    [ ${#all} = $((176 * 44)) ]
    hexfile "$(header count=176)" "$all" >a.dem
    round_trip a.dem
    [ "$(dem2dh a.dem | grep ^input | cut -d' ' -f4- | sort -u | wc -l)" = 176 ]
    # named flags are not numbers: 6 + 6 + 15 + 4 bits have names
    [ "$(dem2dh a.dem | grep ^input | cut -d' ' -f4- | grep -cE '^(sync|buttons|keys|use)=[a-z]')" = 31 ]
}

@test "1.00: 407 bytes without nBuild, run is the lowest button" {
    hexfile "$(header version=00 build= count=2)" "$(input 0x3f 1 2 3 0x01 0 0 0 0)" "$(input 0 0 0 0 0x7e 0 0 0 0)" >a.dem
    [ "$(wc -c <a.dem)" = $((407 + 44)) ]
    round_trip a.dem
    dem2dh a.dem >a.dh 2>err
    [ ! -s err ]
    run ! grep -q nBuild a.dh
    [ "$(grep ^input a.dh)" = 'input 0 0 sync=buttonChange,keyChange,useChange,weaponChange,mlookChange,0x20 forward=1 turn=2 strafe=3 buttons=run
input 1 0 buttons=jump,crouch,shoot,shoot2,lookUp,lookDown' ]
}

@test "every version from 1.00 to 1.21, and no other" {
    local v minor build three
    three=$(inputs 3)
    for v in {0..21}; do
        printf -v minor %02x "$v"
        build=3
        [ "$v" -ge 10 ] || build=
        hexfile "$(header version="$minor" build=$build count=3)" "$three" >a.dem
        round_trip a.dem
        dem2dh a.dem >/dev/null 2>err
        [ ! -s err ]
    done
    hexfile "$(header version=16 count=3)" "$(inputs 3)" | refused dem2dh 'version 1.22: expected 1.00 to 1.21' 'byte 4'
    hexfile "$(header count=3)" "$(inputs 3)" | { head -c 5; echo -n 2; } | cat - a.dem | refused dem2dh 'version 50.21'
}

@test "the layout is what the bytes say, where the version says otherwise" {
    # what a 1.21 without nBuild and a 1.00 with it would be: nothing else fits the chain
    hexfile "$(header build= count=2)" "$(inputs 2)" >a.dem
    hexfile "$(header version=00 count=2)" "$(inputs 2)" >b.dem
    round_trip a.dem
    round_trip b.dem
    dem2dh a.dem >/dev/null 2>err
    grep -qF 'dem2dh: a.dem: version 1.21, but the header lacks nBuild (407 bytes)' err
    dem2dh b.dem 2>err | grep -q '^header .*nBuild=plasmapak'
    grep -qF 'version 1.00, but the header has nBuild (411 bytes)' err
}

# A header of 407 bytes whose players can be read at both places: three at 10 (0, 1, 2), and one at 14 (slot 2, whose
# next, at 26, is negative). Then the size decides, and without one the version.
@test "two layouts that fit: the size decides" {
    hexfile "$(header version=00 build= count=3 players=3 me=1 head=0 points='1 2 -1 5 -1 6 7 -1')" "$(inputs 3)" >a.dem
    round_trip a.dem
    [ "$(dem2dh a.dem | grep -c ^join)" = 3 ]
    hexfile "$(header version=0a build= count=3 players=3 me=1 head=0 points='1 2 -1 5 -1 6 7 -1')" "$(inputs 3)" >a.dem
    [ "$(dem2dh a.dem 2>err | grep -c ^join)" = 3 ]
    grep -qF 'lacks nBuild (407 bytes)' err
    dem2dh a.dem 2>/dev/null | dh2dem >got.dem
    same got.dem a.dem
    # from a pipe: read as the version says
    dem2dh <a.dem 2>/dev/null | grep -c ^join | grep -qx 3 # a redirected file has a size
    # shellcheck disable=SC2002
    [ "$(cat a.dem | dem2dh 2>/dev/null | grep -c ^join)" = 1 ]
}

@test "eight players in their chain's order" {
    hexfile "$(header count=16 players=8 me=3 head=5 points='3 0 -1 7 1 6 4 2')" "$(inputs 16)" >a.dem
    round_trip a.dem
    [ "$(dem2dh a.dem | grep ^input | cut -d' ' -f1-4)" = "$(
        i=1
        for tick in 0 1; do
            for slot in 5 6 4 1 0 3 7 2; do
                echo "input $tick $slot forward=$((i++))"
            done
        done
    )" ]
    dem2dh a.dem | tail -n 1 | grep -qx 'end 2 reason=stop'
}

@test "a count that is no multiple of the players: the last tick is carried, the end is before it" {
    hexfile "$(header count=5 players=2 head=1 points='-1 0 0 0 0 0 0 0')" "$(inputs 5)" 616263 >a.dem
    round_trip a.dem
    [ "$(dem2dh a.dem | tail -n 3)" = 'input 2 1 forward=5
origin part=tail hex=0x616263
end 2 reason=stop' ]
}

@test "chains that go wrong are refused" {
    local points
    hexfile "$(header players=2 points='0 1 2 3 4 5 6 7')" | refused dem2dh 'slot 0, which it has been at' 'byte 20'
    hexfile "$(header players=2 points='1 0 2 3 4 5 6 7')" | refused dem2dh 'slot 0, which it has been at'
    hexfile "$(header players=2 points='8 -1 0 0 0 0 0 0')" | refused dem2dh 'slot 8, which there is not'
    hexfile "$(header head=32767)" | refused dem2dh 'slot 32767, which there is not'
    hexfile "$(header head=-1)" | refused dem2dh 'the chain of players has 0: expected 1'
    hexfile "$(header players=2)" | refused dem2dh 'the chain of players has 1: expected 2'
    hexfile "$(header players=0)" | refused dem2dh 'nNetPlayers is 0: expected 1 to 8' 'byte 14'
    hexfile "$(header players=9)" | refused dem2dh 'nNetPlayers is 9'
    hexfile "$(header players=-2147483648)" | refused dem2dh 'nNetPlayers is -2147483648'
    hexfile "$(header count=-1)" | refused dem2dh 'nInputCount is -1' 'byte 10'
}

@test "zero inputs" {
    hexfile "$(header)" >a.dem
    round_trip a.dem
    dem2dh a.dem | tail -n 1 | grep -qx 'end 0 reason=stop'
}

@test "bytes after the last input are kept, of any number" {
    local n
    hexfile "$(header count=2)" "$(inputs 2)" >whole.dem
    for n in 1 4 21 22 23 44 65535 65536 65537 200000; do
        head -c $n /dev/urandom | cat whole.dem - >a.dem
        round_trip a.dem
        dem2dh a.dem | tail -n 1 | grep -qx 'end 2 reason=stop'
    done
}

@test "texts: no NUL at all, an empty one, any bytes, a full rest" {
    local hex one
    one=$(inputs 1)
    for hex in "$(printf '41%.0s' {1..144})" "" 0041 "78004142$(printf '0%.0s' {1..278})ff" \
        "$(printf '%02x' {1..144})" "$(printf '%02x' {112..255})" "00$(printf '%02x' {113..255})"; do
        hexfile "$(header count=1 level="$hex")" "$one" >a.dem
        [ "$(stat -c %s a.dem)" = 433 ]
        round_trip a.dem
    done
}

@test "EDM, and what is no Blood demo, are refused by name" {
    { hexfile 45444d1a 1501 && head -c 1000 /dev/zero; } | refused dem2dh "NBlood's own format (EDM 1A)" 'byte 0'
    local hex name
    while IFS='|' read -r hex name; do
        { hexfile "$hex" && head -c 500 /dev/zero; } | refused dem2dh "not a Blood demo: expected DEM 1A, found $name"
    done <<'END'
504b0304|a zip archive
49574144|a WAD
50574144|a WAD
4448444d01000000|a record stream already
6468646d20310a|a record stream already
7f454c46|a program
6d02010100000000000001000000320000|what looks like a Doom demo of version 109
44454d1b|bytes 44 45 4d 1b
END
}

# ---- cut short -------------------------------------------------------------------------------------------------------

@test "every prefix: the header incomplete, then truncated and identical until it is whole" {
    local n
    hexfile "$(header count=3)" "$(inputs 3)" 6162 >whole.dem
    for n in 0 1 2 3 4 5 6 10 100 406 407 408 409 410; do
        head -c "$n" whole.dem >a.dem
        run --separate-stderr dem2dh a.dem
        show
        [ "$status" = 1 ]
        [ -z "$output" ]
        [[ $stderr == 'dem2dh: a.dem: '* ]]
    done
    # all of them in one process, to text and to binary; those at the borders through the tools
    mutate -p dem whole.dem
    [ "$(stat -c %s whole.dem)" = 479 ]
    for n in 411 412 432 433 434 454 455 456 475 476; do
        head -c "$n" whole.dem >a.dem
        round_trip a.dem 1
    done
    for n in 477 478 479; do
        head -c "$n" whole.dem >a.dem
        round_trip a.dem
    done
    head -c 440 whole.dem >a.dem
    run --separate-stderr dem2dh a.dem
    show
    [ "$stderr" = 'dem2dh: a.dem: truncated: nInputCount says 3 inputs, 1 found: the file ends inside one: tick 1, byte 440' ]
    run ! grep -q ^end <<<"$output"
}

@test "a count far beyond the file: truncated, not allocated" {
    hexfile "$(header count=2147483647)" "$(inputs 2)" >a.dem
    round_trip a.dem 1
    grep -q -e -fsanitize "$DH_BIN/obj/flags" || (ulimit -v 32768 && round_trip a.dem 1)
}

@test "a recording that was never closed is recovered, and said" {
    hexfile "$(header)" "$(inputs 1024)" >a.dem # the engine writes its inputs in pieces of 1024
    round_trip a.dem
    dem2dh a.dem >out 2>err # not `run`, which takes minutes over a thousand lines
    [ "$(cat err)" = 'dem2dh: a.dem: never closed (nInputCount is 0): 1024 inputs recovered from the size' ]
    [ "$(grep -c ^input out)" = 1024 ]
    grep -qx 'end 1024 reason=shutdown' out
    # three players: the pieces end within a tick
    hexfile "$(header players=3 points='1 2 -1 0 0 0 0 0')" "$(inputs 1024)" >a.dem
    round_trip a.dem
    dem2dh a.dem 2>/dev/null | tail -n 1 | grep -qx 'end 341 reason=shutdown'
    # cut inside an input
    { cat a.dem && hexfile 616263; } >b.dem
    round_trip b.dem 1
    dem2dh b.dem >out 2>err || [ $? = 1 ]
    [[ $(cat err) == *'never closed (nInputCount is 0), and the last of 1025 inputs is cut: tick 341, byte 22942' ]]
}

@test "closing a recording: another end, and the count is written" {
    hexfile "$(header)" "$(inputs 9)" >a.dem
    hexfile "$(header count=9)" "$(inputs 9)" >want.dem
    dem2dh a.dem 2>/dev/null | sed 's/reason=shutdown/reason=stop/' | dh2dem >got.dem
    same got.dem want.dem
}

# ---- edits and slices ------------------------------------------------------------------------------------------------

# The edit gives the demo with these bytes changed: edit AWK OFFSET HEX [OFFSET HEX]...
edit() {
    local program=$1
    shift
    cp whole.dem want.dem
    while [ $# -gt 0 ]; do
        hexfile "$2" | dd of=want.dem bs=1 seek="$1" conv=notrunc status=none
        shift 2
    done
    dem2dh whole.dem | awk "$program" | dh2dem >got.dem
    same got.dem want.dem && ! cmp -s got.dem whole.dem
}

@test "an edit changes exactly its bytes" {
    hexfile "$(header count=2)" "$(input 0x3f 1 2 3 4 5 6 7 8)" "$(input 0 1 2 3 0x44 5 6 7 8)" 6162 >whole.dem
    edit '/^header/ { sub(/versionMinor=21/, "versionMinor=10") } 1' 4 0a
    edit '/^header/ { sub(/nBuild=plasmapak/, "nBuild=3") } 1' 6 03
    edit '/^header/ { sub(/nMyConnectIndex=0/, "nMyConnectIndex=7") } 1' 18 07
    edit '/^header/ { sub(/connectPoint3=4/, "connectPoint3=-3") } 1' 28 fdff
    edit '/^header/ { sub(/nGameType=coop/, "nGameType=bloodbath") } 1' 38 02
    edit '/^header/ { sub(/nDifficulty=3/, "nDifficulty=4") } 1' 39 04
    edit '/^header/ { sub(/nEpisode=2/, "nEpisode=5") } 1' 40 05
    edit '/^header/ { sub(/nLevel=7/, "nLevel=1") } 1' 44 01
    edit '/^header/ { sub(/zLevelName=E1M1/, "zLevelName=E3M8") } 1' 48 45334d38
    edit '/^header/ { sub(/zLevelSong=[^ ]*/, "zLevelSong=ab") } 1' 192 6162000000000000000000000000
    edit '/^header/ { sub(/nTrackNumber=-5/, "nTrackNumber=2") } 1' 336 02000000
    edit '/^header/ { sub(/szUserGameName=[^ ]*/, "szUserGameName=") } 1' 356 00000000000000000000000000000000
    edit '/^header/ { sub(/picEntry=2518/, "picEntry=0") } 1' 374 00000000
    edit '/^header/ { sub(/uMapCRC=[^ ]*/, "uMapCRC=0x01020304") } 1' 378 04030201
    edit '/^header/ { sub(/nTeamSettings=5/, "nTeamSettings=6") } 1' 394 06
    edit '/^header/ { sub(/nSpecialRespawnTime=-1/, "nSpecialRespawnTime=256") } 1' 407 00010000
    edit '/^input 0/ { sub(/forward=1/, "forward=-1") } 1' 415 ff
    edit '/^input 0/ { sub(/turn=2/, "turn=-2") } 1' 416 feff
    edit '/^input 0/ { sub(/,run/, "") } 1' 411 1f
    edit '/^input 1/ { sub(/buttons=[^ ]*/, "buttons=jump") } 1' 441 01
    edit '/^input 1/ { sub(/ mlook=8/, "") } 1' 454 00
    edit '/^origin/ { sub(/hex=0x6162/, "hex=0x4162") } 1' 455 41
}

@test "the number of inputs is written, whatever the rule says" {
    hexfile "$(header count=3)" "$(inputs 3)" >a.dem
    dem2dh a.dem | sed '/^header/s/nInputCount=3/nInputCount=77/' | dh2dem >got.dem
    same got.dem a.dem
    dem2dh a.dem | sed '/^input 2/d; s/^end 3/end 2/' | dh2dem >got.dem
    hexfile "$(header count=2)" "$(inputs 2)" >want.dem
    same got.dem want.dem
}

@test "fields in another order, states and events between" {
    hexfile "$(header count=1)" "$(input 1 2 3 4 5 6 7 8 9)" >a.dem
    dem2dh a.dem | awk '
        /^schema input/ { $0 = "schema input mlook:i8 " substr($0, 14); sub(/ mlook:i8$/, ""); print; print "schema state x:u8"; next }
        /^header/ { print; print "event 0 final x=1"; next }
        /^input/ { print "checkpoint 0 - entities=0 x=1" }
        { print }' >a.dh
    cat a.dh
    dh2dem a.dh >got.dem
    same got.dem a.dem
}

@test "a slice is a valid demo again" {
    hexfile "$(header count=20 players=2 head=1 points='-1 0 0 0 0 0 0 0')" "$(inputs 20)" 616263 >a.dem
    dem2dh a.dem | dhsplit --until 4 | dh2dem >got.dem
    hexfile "$(header count=8 players=2 head=1 points='-1 0 0 0 0 0 0 0')" "$(inputs 8)" >want.dem
    same got.dem want.dem
    round_trip got.dem
    dem2dh a.dem | dhsplit --inputs --from 2 --until 4 2>/dev/null | dh2dem >got.dem
    hexfile "$(header count=4 players=2 head=1 points='-1 0 0 0 0 0 0 0')" "$(inputs 8 | tail -n 4)" >want.dem
    same got.dem want.dem
    # an unclosed one: what is cut from it is closed
    hexfile "$(header)" "$(inputs 9)" >a.dem
    dem2dh a.dem 2>/dev/null | dhsplit --until 4 | dh2dem >got.dem
    hexfile "$(header count=4)" "$(inputs 4)" >want.dem
    same got.dem want.dem
    # no tick at all
    dem2dh want.dem | dhsplit --until 0 | dh2dem >got.dem
    hexfile "$(header)" >want.dem
    same got.dem want.dem
    # a slice in the middle has no way back without --inputs
    run_pipe 'dem2dh a.dem 2>/dev/null | dhsplit --from 2'
    [ "$status" = 2 ]
}

@test "there is no world for it: dhsim says so" {
    hexfile "$(header count=2)" "$(inputs 2)" >a.dem
    dem2dh a.dem >a.dh
    run --separate-stderr dhsim a.dh
    show
    [ "$status" = 2 ]
    [[ $stderr == *blood* ]]
    dhcat -b a.dh | dhcat >b.dh
    same b.dh a.dh
    [ "$(dhcat -F tick,slot,forward a.dh | tail -n 1)" = "$(printf '1\t0\t2')" ]
}

@test "what no demo can say is refused, with tick and line" {
    hexfile "$(header count=4 players=2 head=1 points='-1 0 0 0 0 0 0 0')" "$(inputs 4)" >a.dem
    dem2dh a.dem >a.dh
    sed 's/game=blood/game=doom/' a.dh | refused dh2dem 'game=doom' line
    sed '/^header/s/start=0/start=30/' a.dh | refused dh2dem 'starts from a checkpoint' line
    sed '/^header/s/fresh=1/fresh=0/' a.dh | refused dh2dem 'starts from a checkpoint'
    sed '/^header/s/versionMinor=21/versionMinor=22/' a.dh | refused dh2dem 'version 1.22'
    sed '/^header/s/versionMinor=21/versionMinor=0/' a.dh | refused dh2dem 'sync' 'version 1.00'
    sed '/^header/s/nNetPlayers=2/nNetPlayers=3/' a.dh | refused dh2dem 'chain of players has 2: expected 3' line
    sed '/^header/s/connectPoint0=-1/connectPoint0=1/' a.dh | refused dh2dem 'slot 1, which it has been at'
    sed '/^header/s/zLevelName=E1M1/zLevelName=E1\\000M/' a.dh | refused dh2dem 'zLevelName holds a NUL'
    sed "/^header/s/zLevelName=E1M1/zLevelName=$(printf '%0145d' 0)/" a.dh | refused dh2dem 'zLevelName takes 150 bytes'
    sed '/^join 0 0/d' a.dh | refused dh2dem 'slot 0' 'does not join'
    sed '/^join 0 0/s/^join 0 0/join 0 2/' a.dh | refused dh2dem 'slot 2 joins'
    sed '/^input 0 1/d' a.dh | refused dh2dem 'input missing: tick 0 slot 1 expected' 'tick 0, line'
    sed '/^input 1 0/d' a.dh | refused dh2dem 'input missing: tick 1 slot 0 expected'
    sed '/^input 1 0/s/^input 1 0/input 1 2/' a.dh | refused dh2dem 'slot 2' 'tick 1, line'
    sed 's/^end 2/end 1/' a.dh | refused dh2dem 'end at tick 1'
    sed 's/^end 2/end 3/' a.dh | refused dh2dem 'input missing: tick 2 slot 1'
    sed '/^input 1 1/i\
leave 1 1' a.dh | refused dh2dem 'slot 1 leaves' 'tick 1, line'
    sed '/^input 1 1/i\
join 1 1 wire=1 name=' a.dh | refused dh2dem 'joins at tick 1'
    sed '/^schema rule/s/$/ turbo:u8/; /^header/s/$/ rule.turbo=1/' a.dh | refused dh2dem 'turbo'
    sed '/^schema input/s/$/ look:i8/' a.dh | refused dh2dem 'look'
    sed '/^schema input/s/strafe:i8/strafe:i16/' a.dh | refused dh2dem 'strafe'
    sed '/^schema input/s/jump,crouch/crouch,jump/' a.dh | refused dh2dem 'buttons'
    sed '/^schema rule/s/ nBuild:[^ ]*//; s/ rule.nBuild=[^ ]*//' a.dh >b.dh # 1.21 without nBuild: read as what it is
    dh2dem b.dh >b.dem
    [ "$(wc -c <b.dem)" = 495 ]
    { cat a.dh && echo 'origin part=head hex=0x00'; } | sed 's/^end.*//;/^$/d' | refused dh2dem 'part=head'
    sed '/^input 0 1/i\
origin part=tail hex=0x00' a.dh | refused dh2dem 'after origin'
    { sed '/^input/d; /^end/d' a.dh && printf 'origin part=tail hex=0x00\nend 0 reason=stop\n'; } | refused dh2dem 'no inputs, and bytes'
    cat a.dh a.dh | refused dh2dem 'second stream'
    hexfile 6d020101000000000001000000 32000a01 80 >x.lmp
    lmp2dh x.lmp | refused dh2dem 'game=doom'
}

@test "a stream without end: incomplete, its bytes are written with the count of the whole" {
    hexfile "$(header count=4)" "$(inputs 4)" >whole.dem
    dem2dh whole.dem | sed '$d' | sed '$d' >a.dh
    got=0
    dh2dem a.dh >got.dem 2>err || got=$?
    [ $got = 1 ]
    hexfile "$(header count=4)" "$(inputs 3)" >want.dem
    same got.dem want.dem
    run --separate-stderr dh2dem /dev/null
    [ "$status" = 1 ]
    [ -z "$output" ]
}

# ---- as filters ------------------------------------------------------------------------------------------------------

@test "-u writes every record at once" {
    hexfile "$(header count=2)" "$(inputs 2)" >a.dem
    mkfifo in out1
    dem2dh -u <in >out1 &
    exec 5>in 6<out1
    head -c 433 a.dem >&5
    local line='' seen=
    while read -r -t 10 line <&6; do
        seen+="$line"$'\n'
        [[ $line != 'input 0 0 '* ]] || break
    done
    [[ $line == 'input 0 0 '* ]]
    tail -c +434 a.dem >&5
    exec 5>&-
    { printf '%s' "$seen" && cat <&6; } >got.dh
    exec 6<&-
    wait $!
    dem2dh a.dem >want.dh
    same got.dh want.dh
}

@test "a full disk: status 2" {
    [ -e /dev/full ] || skip "no /dev/full here"
    hexfile "$(header count=2)" "$(inputs 2)" >a.dem
    dem2dh a.dem >a.dh
    local command
    for command in 'dem2dh a.dem' 'dem2dh -b a.dem' 'dem2dh -u a.dem' 'dh2dem a.dh'; do
        got=0
        $command >/dev/full 2>err || got=$?
        [ $got = 2 ]
        grep -q "^${command%% *}: standard output: " err
    done
}

@test "binary is not written to a terminal, one demo at a time" {
    need_cmd script
    hexfile "$(header count=2)" "$(inputs 2)" >a.dem
    dem2dh a.dem >a.dh
    local command
    for command in 'dem2dh -b a.dem' 'dh2dem a.dh'; do
        run script -qec "$command" /dev/null
        show
        [ "$status" = 2 ]
        [[ $output == *'terminal'* ]]
    done
    run --separate-stderr dem2dh a.dem a.dem
    [ "$status" = 2 ]
    run --separate-stderr dh2dem a.dh a.dh
    [ "$status" = 2 ]
}

@test "memory does not grow with the demo" {
    ! grep -q -e -fsanitize "$DH_BIN/obj/flags" || skip "sanitizers reserve address space of their own"
    { hexfile "$(header count=1000000)" && head -c 22000000 /dev/zero && head -c 30000000 /dev/zero; } >big.dem
    (ulimit -v 32768 && dem2dh -b big.dem >big.dh)
    (ulimit -v 32768 && dh2dem big.dh) | cmp - big.dem
}
