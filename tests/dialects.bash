# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# What the tests of lmp2dh and dh2lmp share, and demos of every dialect, made byte by byte from the documents:
# `make_dialects FOLDER` writes NAME.lmp for each name of `dialects`. Needs lib.bash.
#
# Where a header has many bytes of options they count up from 1, so that a field that is read from the wrong place has
# the wrong value. What is not said otherwise has player 1 alone, two tics, and the marker.

# Through text and through binary: the same bytes, the same status (of both tools). What the way back tells is in rt.err,
# the text in rt.dh.
round_trip() { # FILE [STATUS]
    thereback lmp2dh dh2lmp "${2:-0}" "$1" -b text
}

# COUNT hex bytes that count up from FIRST, which no loop makes: bats looks at each command of one. 256 at most.
count_up() { # FIRST COUNT
    eval "set -- {$1..$(($1 + $2 - 1))}"
    printf '%02x ' "${@/#256/0}"
}

zeros() { # COUNT
    eval "printf '00 %.0s' {1..$1}"
}

text_hex() { # TEXT, without its end
    printf '%s' "$1" | xxd -p | tr -d '\n'
}

# 32 presence bytes: players 1 and 3.
players32() {
    printf '01 00 03 '
    zeros 29
}

two='32 d8 0a 01  e7 28 ff 16' # forward 50 side -40 turn 2560 attack; forward -25 side 40 turn -256 use, weapon 3
two_players="$two $two"
two_long='32 d8 0a 0b 01  e7 28 ff 7f 16' # turn 2826; 32767
doom_header='03 01 07 00 00 00 00 00 01 00 00 00' # skill, episode, level, modes, viewpoint, players
boom_sig='1d 42 6f 6f 6d e6'
mbf_sig='1d 4d 42 46 e6 00'
start='03 01 07 01 02' # skill episode level deathmatch viewpoint

# A PWAD of three lumps, as PrBoom+ appends it: PORTNAME, an empty one, CMDLINE.
pwad_footer() { # PORT CMDLINE
    local port=$1 line=$2 at
    at=$((12 + ${#port} + 1 + ${#line}))
    printf '50574144 03000000 %s\n' "$(le32 $at)"
    printf '%s 0a %s\n' "$(text_hex "$port")" "$(text_hex "$line")"
    printf '%s %s %s\n' "$(le32 12)" "$(le32 ${#port})" "$(text_hex PORTNAME)"
    printf '%s %s 0000000000000000\n' "$(le32 $((12 + ${#port})))" "$(le32 1)"
    printf '%s %s %s00\n' "$(le32 $((13 + ${#port})))" "$(le32 ${#line})" "$(text_hex CMDLINE)"
}

le32() { # NUMBER...
    local n
    for n; do
        printf '%02x%02x%02x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255))
    done
}

be32() { # NUMBER
    printf '%08x' "$1"
}

# The header of Eternity VERSION.SUBVERSION, with what it has at that time.
eternity() { # VERSION SUB
    printf 'ff %s 00 %s %02x 00 02 01 09 01 00' "$(text_hex ETERN)" "$(le32 "$1")" "$2"
    [ "$1" -lt 331 ] || printf ' 04030201'
    [ $(($1 * 256 + $2)) -lt $((329 * 256 + 5)) ] || printf ' %s 000000' "$(text_hex MAP09)"
    printf ' '
    count_up 1 64
    printf '01 '
    zeros 31
}

dialects=(doom12 doom14 doom15 doom16 doom17 doom18 doom19 tasdoom longturns bfg bfgdebug heretic heretic-long hexen
    hexen10 strife boom200 boom boom201 lxdoom mbf cdoom cdoomb prboom prboom6 mbf21 eternity eternity328 eternity329
    eternity331 eternity333 eternity333-50 eternity335 eternity340 kex kex31 um um0 dsda1 dsda2 dsda dsda-key pwad cndoom
    trailer)

# The hex of one.
dialect_hex() { # NAME
    local v
    case $1 in
    doom12) echo "03 01 07 01 00 01 00 $two_players 80" ;;
    doom1?)
        v=$((100 + ${1#doom1}))
        printf '%02x %s %s 80\n' "$v" "$doom_header" "$two"
        ;;
    tasdoom) echo "6e $doom_header 01 32 d8 0a  16 e7 28 ff 80" ;;
    longturns) echo "6f $doom_header $two_long 80" ;;
    bfg | bfgdebug)
        # two players; health 100, and so on up to maxrockets 120; then the second's 200 to 220
        local states
        states=$(le32 {100..120} {200..220})
        if [ "$1" = bfg ]; then
            echo "6f 03 01 02 07 00 00 00 00 00 01 01 00 00 $states $two_long 80"
        else
            echo "70 03 01 02 07 00 00 00 00 00 01 01 00 00 $states 32 d8 0a 0b 01 aa  e7 28 ff 7f 16 bb 80"
        fi
        ;;
    heretic) echo '03 02 07 01 00 00 00 32 d8 0a 01 5f 00  e7 28 ff 16 80 0a 80' ;;
    heretic-long) echo '03 02 07 11 00 00 00 32 d8 0a 0b 01 5f 00  e7 28 ff 7f 16 80 0a 80' ;;
    hexen) echo "03 01 21 01 02 00 00 01 01 $(zeros 10) 32 d8 0a 01 5f 00  e7 28 ff 16 80 8a 80" ;;
    hexen10) echo '03 01 21 01 02 00 00 01 01 00 00 32 d8 0a 01 5f 00  e7 28 ff 16 80 4a 80' ;;
    strife) echo '65 03 21 01 02 03 04 00 01 00 00 00 00 00 00 00 32 d8 0a 01 29 07  e7 28 ff 16 80 00 80' ;;
    boom200) echo "c8 $boom_sig 01 $start $(count_up 1 256) $(players32) $two 80" ;;
    boom201) echo "c9 $boom_sig 00 $start $(count_up 1 64) $(players32) $two 80" ;;
    boom) echo "ca $boom_sig 01 $start $(count_up 1 64) $(players32) $two 80" ;;
    lxdoom) echo "cb $boom_sig $start $(count_up 1 64) $(players32) $two 80" ;;
    mbf) echo "cb $mbf_sig 09 $start $(count_up 1 64) $(players32) $two 80" ;;
    cdoom) echo "cf $(text_hex CDOOMC) 09 $start $(count_up 1 64) $(players32) $two_long 80" ;;
    cdoomb) echo "cd $boom_sig 09 $start $(count_up 1 64) $(players32) $two_long 80" ;;
    prboom) echo "d3 $mbf_sig 09 $start $(count_up 1 64) $(players32) $two 80" ;;
    prboom6) echo "d6 $mbf_sig 09 $start $(count_up 1 64) $(players32) $two_long 80" ;;
    mbf21) echo "dd $mbf_sig $start $(count_up 1 20) 1b $(count_up 65 27) $(players32) $two_long 80" ;;
    eternity) echo "$(eternity 404 3) 32 d8 0a 0b 01 07 00 80 fb 01 00 02 01 09 $(zeros 14) 80" ;;
    eternity328) echo "$(eternity 328 0) $two 80" ;;
    eternity329) echo "$(eternity 329 5) 32 d8 0a 01 f6  e7 28 ff 16 00 80" ;;
    eternity331) echo "$(eternity 331 8) 32 d8 0a 01 f6  e7 28 ff 16 00 80" ;;
    eternity333) echo "$(eternity 333 49) 32 d8 0a 01 f6 ff  e7 28 ff 16 00 00 80" ;;
    eternity333-50) echo "$(eternity 333 50) 32 d8 0a 0b 01 f6 ff  e7 28 ff 7f 16 00 00 80" ;;
    eternity335) echo "$(eternity 335 0) 32 d8 0a 0b 01 01 f6 ff  e7 28 ff 7f 16 00 00 00 80" ;;
    eternity340) echo "$(eternity 340 23) 32 d8 0a 0b 01 01 f6 ff fb  e7 28 ff 7f 16 00 00 00 00 80" ;;
    kex) echo "ff $(text_hex OSRS2) 00 00000103 $(text_hex a1b2c3d4) 00 $doom_header $two_long 80" ;;
    kex31) echo "ff $(text_hex OSRS2) 00000103 $(text_hex a1b2c3d4) 00 $doom_header $two_long 80" ;;
    um) echo "ff $(text_hex PR+UM) 00 01 0100 08 $(text_hex UMAPINFO) $(text_hex MAP07) 000000 6d $doom_header $two 80" ;;
    um0) echo "ff ca $boom_sig 01 $start $(count_up 1 64) $(players32) $two 80" ;;
    dsda1) echo "ff 1d $(text_hex DSDA) e6 01 $(be32 39) $(be32 2) 6d $doom_header 32 d8 0a 01 00  e7 28 ff 16 01 80" ;;
    # 0x80 in every place of a command; all of the action bits
    dsda2) echo "ff 1d $(text_hex DSDA) e6 02 $(be32 44) $(be32 2) 02 6d $doom_header 80 80 80 80 80" \
        "e7 28 ff 16 3f 03 04 80 80 80" ;;
    dsda) echo "ff 1d $(text_hex DSDA) e6 03 $(be32 $((18 + 92 + 15))) $(be32 2) 00 01 dd $mbf_sig $start" \
        "$(count_up 1 20) 1b $(count_up 65 27) 01 $(zeros 31) 32 d8 0a 0b 01 02 05  e7 28 ff 7f 16 20 f6 ff 80" ;;
    # from a key frame of six bytes, one of them like the marker
    dsda-key) echo "ff 1d $(text_hex DSDA) e6 02 $(be32 50) $(be32 2) 01 6d $doom_header $(le32 6) 80 01 02 03 04 05" \
        '32 d8 0a 01 00  e7 28 ff 16 00 80' ;;
    pwad) echo "6d $doom_header $two 80" "$(pwad_footer 'Woof! 14.0.0' \
        '-iwad "doom2.wad" -file "a b.wad" "c.wad" -deh "d.deh" -complevel 2 -coop_spawns')" ;;
    cndoom) echo "6d $doom_header $two 80 $(text_hex \
        '*CNDM#0001#2.0.3.2#0042#0000#0000#0000#02#1#07#01#D#S#4#00100012#00030007#00010002#00:01:02.03#*') 1500 0000" ;;
    trailer) echo "6d $doom_header $two 80 $(text_hex 'Recorded on a rainy day')0a" ;;
    *) return 1 ;;
    esac
}

# All of them, as files.
make_dialects() { # FOLDER
    local name
    mkdir -p "$1"
    for name in "${dialects[@]}"; do
        hexfile "$(dialect_hex "$name")" >"$1/$name.lmp"
    done
}
