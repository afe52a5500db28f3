#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhinfo over every format. The demos here are made byte by byte or are the project's own; real ones are read where they
# are.

# shellcheck disable=SC2154 # run sets stderr

load lib

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

# A Blood demo of one player: count as hex of 4 bytes, then inputs as hex.
blood() { # COUNT HEX... > FILE
    hexfile 44454d1a 1501 03000000 "$1" 01000000 0000 0000 ffff
    head -c 14 /dev/zero
    hexfile 00 03
    head -c 8 /dev/zero
    printf E1M4
    head -c 359 /dev/zero
    shift
    hexfile "$@"
}

still() { # NUMBER of Blood inputs as hex
    printf "%0$(($1 * 44))d" 0
}

# A column of a table, by its name.
cell() { # COLUMN < TABLE
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } { print $k }'
}

# The first row of a table, a line NAME=VALUE for each of its columns.
pairs() { # < TABLE
    awk -F '\t' 'NR == 1 { n = split($0, name) } NR == 2 { for (i = 1; i <= n; i++) print name[i] "=" $i }'
}

# The cells of one demo: `cells FILE NAME=VALUE...` all hold.
cells() {
    local file=$1 pair got
    shift
    dhinfo -t "$file" >table 2>err || true
    [ "$(wc -l <table)" = 2 ] || { echo "$file: not one row"; cat table err; return 1; }
    got=$'\n'$(pairs <table)$'\n'
    for pair; do
        [[ $got == *$'\n'"$pair"$'\n'* ]] || { echo "$file: want $pair, got$got"; return 1; }
    done
}

# ---- each format -----------------------------------------------------------------------------------------------------

@test "a Doom demo" {
    lmp 109 '1 0 1 0' "$(printf '00 00 00 00 %.0s' {1..140})" 80 >a.lmp
    cells a.lmp file=a.lmp format=lmp game=doom dialect=doom19 engine='Doom 1.9' map='E1M1 or MAP01' skill=3 mode=coop \
        players=2 slots=0,2 viewpoint=0 tics=70 rate=35 time=0:00:02.00 flags= footer= checkpoints= end=whole turbo=0 \
        strafe50=0 onetic=0 notes=
}

@test "what the header says: skill, map, mode, flags, viewpoint" {
    hexfile 6d 04 03 07 02 01 05 01 03 01 01 00 01 80 >a.lmp
    cells a.lmp map=E3M7 skill=5 mode=altdeath flags=respawn,fast,nomonsters players=3 slots=0,1,3 viewpoint=3 \
        'notes=the byte for fast is 5, not 1' tics=0 time=0:00:00.00
    hexfile 6d 00 01 1e 00 00 00 00 00 01 00 00 00 80 >a.lmp
    cells a.lmp map=MAP30 skill=1 mode=single flags=
    hexfile 6d 00 01 05 01 00 00 00 00 01 00 00 00 80 >a.lmp
    cells a.lmp map='E1M5 or MAP05' mode=deathmatch
}

@test "a footer: port, command line, files, what it sets" {
    cmdline='-iwad doom2.wad -file a.wad b.wad -complevel 2 -solo-net -nomonsters'
    # PWAD, two lumps; the directory behind them
    local n=${#cmdline}
    {
        lmp 109 '1 0 0 0' 00000000 80
        hexfile 50574144 02000000 "$(printf '%02x000000' $((12 + 8 + n)))"
        printf 'Port 1.0%s' "$cmdline"
        hexfile 0c000000 08000000 504f52544e414d45 14000000 "$(printf '%02x000000' "$n")" 434d444c494e4500
    } >a.lmp
    cells a.lmp engine='Port 1.0' map=MAP01 mode=solo-net flags=nomonsters,complevel=2 iwad=doom2.wad files=a.wad,b.wad \
        footer=pwad command="$cmdline"
}

@test "Heretic, Hexen and Strife name their maps in their own way" {
    hexfile 03 02 04 01 00 00 00 000000000000 000000000000 80 >h.lmp
    dhinfo -t --game heretic h.lmp >table
    [ "$(cell map <table)/$(cell game <table)/$(cell skill <table)" = E2M4/heretic/4 ]
    hexfile 02 01 04 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 000000000000 80 >x.lmp
    dhinfo -t --game hexen x.lmp >table
    [ "$(cell map <table)/$(cell tics <table)" = MAP04/1 ]
    hexfile 65 02 04 00 00 00 00 00 01 00 00 00 00 00 00 00 000000000000 80 >s.lmp
    cells s.lmp map=MAP04 game=strife mode=single viewpoint=0
}

@test "a Blood demo" {
    blood 3c000000 "$(still 60)" >a.dem
    cells a.dem format=dem game=blood dialect=1.21 engine='Blood 1.21 registered' map=E1M4 skill=4 mode=single players=1 \
        slots=0 viewpoint=0 tics=60 rate=30 time=0:00:02.00 end=whole turbo= notes=
    blood 00000000 "$(still 61)" >a.dem
    cells a.dem tics=61 'notes=never closed: the inputs were counted by the size'
    blood 01000000 "$(still 1)" 616263 >a.dem
    cells a.dem tics=1 'notes=3 bytes after the last input'
}

@test "a stream says the same as the file it is from, in both encodings" {
    local f table columns='game|map|skill|mode|players|slots|viewpoint|tics|rate|time|flags|iwad|files|footer|command|end|turbo|strafe50|onetic'
    blood 3c000000 "$(still 60)" >blood.dem
    { lmp 109 '1 1 0 0' 37000000 00370100 00000081 00000000 82; } >b.lmp
    hexfile 6d 04 03 07 00 00 05 00 00 01 00 00 00 00007f00 00000000 80 >c.lmp
    cp "$DATA"/*.lmp .
    for f in *.lmp blood.dem; do
        case $f in *.dem) dem2dh "$f" >t.dh; dem2dh -b "$f" >b.dh ;; *) lmp2dh "$f" >t.dh 2>/dev/null || true; lmp2dh -b "$f" >b.dh 2>/dev/null || true ;; esac
        dhinfo -t "$f" >want.tsv 2>/dev/null || true
        dhinfo -t t.dh >t.tsv 2>/dev/null || true
        dhinfo -t b.dh >b.tsv 2>/dev/null || true
        for table in want t b; do
            pairs <$table.tsv | grep -E "^($columns)=" >$table.pairs
        done
        [ "$(wc -l <want.pairs)" = 19 ]
        same t.pairs want.pairs && same b.pairs want.pairs || { echo "$f: the text's and the file's; the binary's"; return 1; }
        [ "$(cell format <t.tsv)/$(cell dialect <t.tsv)/$(cell dialect <b.tsv)" = dh/text/binary ]
        [ "$(cell notes <t.tsv)" = "$(cell notes <want.tsv)" ] || [ "$f" = b.lmp ]
    done
}

@test "a stream of another game, with states" {
    cells "$DATA/sample.dh-demo" format=dh game=yard dialect=binary map=court players=1 slots=0 tics=3 rate=60 \
        time=0:00:00.05 files=court.yard checkpoints=2 snapshots=1 end=whole turbo= skill= mode=
    dhcat "$DATA/sample.dh-demo" | dhsplit --from 3 2>/dev/null >b.dh
    cells b.dh tics=1 'notes=starts at tick 2, from a checkpoint'
}

@test "several streams in one file are rows of their own" {
    cat "$DATA/sample.dh-demo" "$DATA/sample.dh-demo" >two.dh-demo
    dhinfo -t two.dh-demo >table
    [ "$(cell game <table)" = "$(printf 'yard\nyard')" ]
    [ "$(cell notes <table)" = "$(printf '\nstream 2 of the input')" ]
}

# ---- cut short, corrupt, and no demo ---------------------------------------------------------------------------------

@test "a truncated demo has its row, and status 1" {
    lmp 109 '1 0 0 0' 00000000 00000000 0000 >a.lmp
    lmp2dh a.lmp >a.dh 2>/dev/null || true
    blood 03000000 "$(still 2)" 00 >a.dem
    local f
    for f in a.lmp a.dh a.dem; do
        run --separate-stderr dhinfo -t "$f"
        show
        [ "$status" = 1 ]
        [[ $stderr == "dhinfo: $f: truncated: "* ]]
        [ "$(cell end <<<"$output")/$(cell tics <<<"$output")" = truncated/2 ]
    done
}

@test "a corrupt stream has its row up to there, and status 2" {
    { dhcat "$DATA/sample.dh-demo" | head -n 8 && echo 'input one two'; } >a.dh
    run --separate-stderr dhinfo -t a.dh
    show
    [ "$status" = 2 ]
    [ "$(cell end <<<"$output")/$(cell game <<<"$output")" = corrupt/yard ]
    [[ $stderr == 'dhinfo: a.dh: '*'line 9' ]]
}

@test "bad files are passed by, and their status remains" {
    lmp 109 '1 0 0 0' 00000000 80 >a.lmp
    lmp 109 '1 0 0 0' 00000000 >cut.lmp
    { hexfile 45444d1a 1501 && head -c 1000 /dev/zero; } >edm.dem
    head -c 100 /dev/zero | tr '\0' '\177' >junk.lmp
    : >empty.lmp
    run --separate-stderr dhinfo -t a.lmp junk.lmp no.lmp cut.lmp . edm.dem empty.lmp a.lmp
    show
    [ "$status" = 2 ]
    [ "$(cell file <<<"$output")" = "$(printf 'a.lmp\ncut.lmp\na.lmp')" ]
    [ "$(cut -d: -f2 <<<"$stderr" | tr -d '\n')" = ' junk.lmp no.lmp cut.lmp . edm.dem empty.lmp' ]
    [[ $stderr == *"edm.dem: unsupported: a demo of NBlood's own format"* ]]
    run --separate-stderr dhinfo -t a.lmp cut.lmp a.lmp empty.lmp
    [ "$status" = 1 ]
    [ "$(cell file <<<"$output")" = "$(printf 'a.lmp\ncut.lmp\na.lmp')" ]
    run --separate-stderr dhinfo -t a.lmp a.lmp
    [ "$status" = 0 ]
    [ -z "$stderr" ]
}

@test "a last tic that is not whole, pauses, saves and bytes behind are told" {
    lmp 109 '1 1 0 0' 00000081 00000096 00000000 80 00ff00ff00 >a.lmp
    cells a.lmp tics=1 'notes=1 pause(s); 1 save(s); the last tic is not whole: inputs of 1 of 2 players; 5 bytes after the end marker that are no known footer'
}

@test "two readings: which was taken is told" {
    hexfile 02 01 01 01 00 00 00 "$(printf '00%.0s' {1..36})" 80 >a.lmp # 9 commands of 4 bytes, or 6 of 6
    dhinfo -t a.lmp >table
    [[ $(cell notes <table) == *'--dialect settles it'* ]]
    [ "$(dhinfo -t --dialect doom12 a.lmp | cell tics)" = 9 ]
    [ "$(dhinfo -t --game heretic a.lmp | cell tics)" = 6 ]
}

# ---- signs of tools --------------------------------------------------------------------------------------------------

@test "turbo speeds, strafe-50 turns and one-tic turns are counted" {
    #         50 fwd   -50      50,50    turbo fwd turbo side both      sr50+turn sr40+turn sr50
    lmp 109 '1 0 0 0' 32000000 ce000000 32320000 33000000 00cd0000 7f7f0000 32320100 32280100 00ce0000 \
        00000000 00000600 00000000 '# a turn of one tic' 00000500 00000000 '# by a key' 00000601 00000600 00000000 '# two tics' \
        0000fa00 00000000 '# and one to the right' 80 >a.lmp
    cells a.lmp turbo=3 strafe50=1 onetic=2
    lmp 111 '1 0 0 0' 3232010000 0000010500 0000000000 0000000580 80 >a.lmp
    cells a.lmp turbo=0 strafe50=1 onetic=0
}

# ---- forms -----------------------------------------------------------------------------------------------------------

@test "a block each, an empty line between them" {
    lmp 109 '1 0 0 0' "$(printf '00 00 00 00 %.0s' {1..35})" 80 >a.lmp
    dhinfo a.lmp a.lmp >out
    {
        cat <<'END'
a.lmp
    format          lmp
    game            doom
    dialect         doom19
    engine          Doom 1.9
    map             E1M1 or MAP01
    skill           3
    mode            single
    players         1
    slots           0
    viewpoint       0
    tics            35
    tics/second     35
    time            0:00:01.00
    end             whole
    turbo speeds    0
    strafe-50 turns 0
    one-tic turns   0
END
    } >block
    { cat block && echo && cat block; } >want
    same out want
}

@test "-j: a JSON object a line, every key there" {
    lmp 109 '1 0 1 0' 00000000 00000000 80 >'a "b\c.lmp'
    dhinfo -j 'a "b\c.lmp' "$DATA/sample.dh-demo" >out
    [ "$(wc -l <out)" = 2 ]
    [ "$(head -n 1 out)" = '{"file":"a \"b\\c.lmp","format":"lmp","game":"doom","dialect":"doom19","engine":"Doom 1.9","map":"E1M1 or MAP01","skill":3,"mode":"coop","players":2,"slots":[0,2],"viewpoint":0,"tics":1,"rate":35,"time":"0:00:00.02","flags":[],"iwad":null,"files":[],"footer":null,"command":null,"checkpoints":null,"snapshots":null,"end":"whole","turbo":0,"strafe50":0,"onetic":0,"notes":[]}' ]
    ! command -v python3 >/dev/null || python3 -c 'import json, sys
for line in open("out"): assert len(json.loads(line)) == 26' </dev/null
}

@test "-t: a header, then a row each, as many cells" {
    lmp 109 '1 0 0 0' 00000000 80 >"$(printf 'tab\there\nand a line.lmp')"
    dhinfo -t ./*.lmp "$DATA"/walk.lmp "$DATA"/coop4.lmp "$DATA"/sample.dh-demo >out
    [ "$(wc -l <out)" = 5 ]
    [ "$(awk -F '\t' '{ print NF }' out | sort -u)" = 26 ]
    [ "$(cell file <out | head -n 1)" = './tab\011here\012and a line.lmp' ]
    run --separate-stderr dhinfo -t nothing.lmp
    [ "$status" = 2 ]
    [ "$(wc -l <<<"$output")" = 1 ]
}

@test "standard input, from a pipe and from a file" {
    lmp 109 '1 0 0 0' 00000000 80 >a.lmp
    blood 3c000000 "$(still 60)" >a.dem
    local f
    for f in a.lmp a.dem "$DATA/sample.dh-demo" "$DATA/sample.dh-text"; do
        dhinfo -t "$f" | cut -f2- >want
        # shellcheck disable=SC2002
        cat "$f" | dhinfo -t | cut -f2- >got
        same got want
        dhinfo -t - <"$f" | cut -f2- >got
        same got want
    done
    lmp2dh a.lmp | dhinfo -j | grep -q '^{"file":"-","format":"dh"'
}

# ---- in archives -----------------------------------------------------------------------------------------------------

# A WAD of a demo, an empty lump, what is no demo, and an MBF demo by another name; bytes by hand.
make_wad() {
    {
        hexfile 50574144 05000000 b7000000
        hexfile 6d02010100000000000100000000000000 80 '# DEMO1: 18 bytes at 12'
        hexfile 6d0401010000000000010000000000000000000000 80 '# DEMO2: 22 at 30'
        hexfile 6d6d '# TEXTURE: 2 at 52'
        hexfile cb1d4d4246e600 00 04 01 02 00 00 '# RUN: 109 header at 54'
        head -c 64 /dev/zero
        hexfile 01
        head -c 31 /dev/zero
        hexfile 00000000 80 '# 5 more: 114 in all, and 15 that belong to none'
        head -c 15 /dev/zero
        hexfile 0c000000 12000000 44454d4f31000000
        hexfile 00000000 00000000 454d505459000000
        hexfile 1e000000 16000000 64656d6f32000000
        hexfile 34000000 02000000 5445585455524500
        hexfile 36000000 72000000 52554e0000000000
    } >x.wad
}

@test "wad:LUMP, and --all-lumps" {
    make_wad
    dhinfo -t x.wad:DEMO1 >table
    [ "$(cell file <table)/$(cell tics <table)" = x.wad:DEMO1/1 ]
    dhinfo -t x.wad:demo2 >table
    [ "$(cell skill <table)/$(cell tics <table)" = 5/2 ]
    dhinfo -t --all-lumps x.wad >table
    [ "$(cell file <table)" = "$(printf 'x.wad:DEMO1\nx.wad:demo2\nx.wad:RUN')" ]
    [ "$(cell dialect <table)" = "$(printf 'doom19\ndoom19\nmbf')" ]
    run --separate-stderr dhinfo x.wad
    [ "$status" = 2 ]
    [[ $stderr == 'dhinfo: x.wad: a WAD: name a lump in it'* ]]
    run --separate-stderr dhinfo x.wad:DEMO3
    [ "$status" = 2 ]
    [[ $stderr == 'dhinfo: x.wad:DEMO3: no lump DEMO3 among the 5 of this WAD' ]]
    run --separate-stderr dhinfo --all-lumps "$DATA/yard.wad"
    [ "$status" = 1 ]
    [[ $stderr == *'a WAD without demos in it' ]]
    head -c 200 x.wad >cut.wad
    run --separate-stderr dhinfo --all-lumps cut.wad
    [ "$status" = 2 ]
    [[ $stderr == *'truncated WAD'* ]]
    # a lump that leaves the file: what comes before it is read
    { head -c 187 x.wad && hexfile ffffff7f && tail -c +192 x.wad; } >bad.wad
    run --separate-stderr dhinfo -t --all-lumps bad.wad
    [ "$status" = 2 ]
}

# Names that mean something to a shell, to unzip's patterns, or to its options.
# shellcheck disable=SC2016 # they are meant
odd_names=(a.lmp -x.lmp 'b[1].lmp' 'c*.lmp' cc.lmp 'd?e.lmp' 'sp ace.LMP' "q\"u'o.lmp" '$(touch boo).lmp' '`touch boo`.lmp' co:lon.lmp '; touch boo.lmp')

make_zip() { # FILE
    need_cmd zip
    local n i=1
    mkdir in
    for n in "${odd_names[@]}"; do
        lmp 109 '1 0 0 0' "$(printf '00000000%.0s' $(seq $i))" 80 >"in/$n" # the i-th has i tics
        i=$((i + 1))
    done
    mkdir in/sub in/__MACOSX
    lmp 109 '1 0 0 0' 80 >in/sub/a.lmp
    blood 3c000000 "$(still 60)" >in/sub/b.DEM
    hexfile 0005160700 >in/__MACOSX/._a.lmp
    echo 'read me' >in/readme.txt
    make_wad
    mv x.wad in/
    cp "$DATA/sample.dh-demo" in/
    (cd in && zip -q -r - .) >"$1"
}

@test "every demo of a zip archive, whatever their names are" {
    need_cmd unzip
    make_zip 'z[1] *.zip'
    dhinfo -t 'z[1] *.zip' >table
    [ "$(wc -l <table)" = $((1 + ${#odd_names[@]} + 3)) ]
    local n i=1
    for n in "${odd_names[@]}"; do
        [ "$(cell file <table | grep -cxF "z[1] *.zip:$n")" = 1 ] || { echo "no $n"; false; }
        [ "$(awk -F '\t' -v f="z[1] *.zip:$n" '$1 == f { print $12 }' table)" = $i ] || { echo "another $n"; false; }
        i=$((i + 1))
    done
    [ ! -e boo ] && [ ! -e in/boo ]
    run ! grep -qE 'readme|MACOSX|x[.]wad' table
    [ "$(dhinfo -t --all-lumps 'z[1] *.zip' | cell file | grep -c 'x\.wad:')" = 3 ]
}

@test "zip:MEMBER" {
    need_cmd unzip
    make_zip z.zip
    local n i=1
    for n in "${odd_names[@]}"; do
        dhinfo -t "z.zip:$n" >table
        [ "$(cell file <table)/$(cell tics <table)" = "z.zip:$n/$i" ]
        i=$((i + 1))
    done
    dhinfo -t z.zip:sub/b.DEM >table
    [ "$(cell game <table)/$(cell tics <table)" = blood/60 ]
    run --separate-stderr dhinfo z.zip:no.lmp
    show
    [ "$status" = 2 ]
    [ "$stderr" = 'dhinfo: z.zip:no.lmp: no such file in the archive, or it cannot be read' ]
    run --separate-stderr dhinfo z.zip:readme.txt
    [ "$status" = 2 ]
}

@test "a member's name steers no terminal, in a table or in an error" {
    need_cmd zip
    mkdir in
    lmp 109 '1 0 0 0' 00000000 80 >$'in/\033[31ma.lmp'
    lmp 109 '1 0 0 0' 00000000 >$'in/\033[31mb\\.lmp' # no end marker
    (cd in && zip -q -r - .) >z.zip
    run --separate-stderr dhinfo -t z.zip
    show
    [ "$status" = 1 ]
    run ! grep -q "$(printf '\033')" <<<"$output$stderr"
    run --separate-stderr dhinfo z.zip
    [ "$stderr" = 'dhinfo: z.zip:\033[31mb\\.lmp: truncated: no end marker (0x80): tick 1, byte 17' ]
    run --separate-stderr dhinfo $'z.zip:\033no.lmp'
    [ "$status" = 2 ]
    [ "$stderr" = 'dhinfo: z.zip:\033no.lmp: no such file in the archive, or it cannot be read' ]
}

@test "zip archives without a program for them" {
    make_zip z.zip
    mkdir none
    ln -s "$(command -v dhinfo)" none/dhinfo
    PATH=$PWD/none dhinfo -t z.zip >got
    [ "$(cell tics <got | sort -n | tr '\n' ' ')" = '0 1 2 3 3 4 5 6 7 8 9 10 11 12 60 ' ]
    [ "$(PATH=$PWD/none dhinfo -j 'z.zip:c*.lmp' | grep -c '"tics":4,')" = 1 ]
}

@test "stored, deflated at every level, and packed in ways that take a program: unzip, bsdtar, neither" {
    need_cmd zip unzip bzip2
    local level
    cp "$DATA/walk.lmp" a.lmp
    { lmp 109 '1 0 0 0' && cat "$DATA"/*.wad "$DATA"/*.wad; } >long.lmp
    dhinfo -t a.lmp long.lmp 2>/dev/null | cut -f 2- >want
    for level in 0 1 5 9; do
        rm -f z.zip
        zip -q -$level z.zip a.lmp long.lmp
        dhinfo -t z.zip 2>/dev/null | cut -f 2- >got || true
        same got want
    done
    rm z.zip
    zip -q -Z bzip2 z.zip a.lmp 2>/dev/null || skip "this zip knows no bzip2"
    mkdir none unzip tar
    ln -s "$(command -v dhinfo)" none/dhinfo
    ln -s "$(command -v unzip)" unzip/unzip
    head -n 2 want >one
    PATH=$PWD/unzip:$PWD/none dhinfo -t z.zip | cut -f 2- >got
    same got one
    run --separate-stderr env PATH="$PWD/none" dhinfo z.zip
    show
    [ "$status" = 2 ]
    [[ $stderr == 'dhinfo: z.zip:a.lmp: neither deflated nor stored, and neither unzip nor bsdtar is installed to read it' ]]
    need_cmd bsdtar
    ln -s "$(command -v bsdtar)" tar/bsdtar
    PATH=$PWD/tar:$PWD/none dhinfo -t z.zip | cut -f 2- >got
    same got one
}

@test "zip archives that are empty, cut, encrypted, or lie" {
    need_cmd zip unzip
    lmp 109 '1 0 0 0' 80 >a.lmp
    echo x >x.txt
    fails() { # FILE STATUS WORDS
        run --separate-stderr dhinfo "$1"
        show
        [ "$status" = "$2" ] && [ -z "$output" ] && [[ $stderr == "dhinfo: $1"*"$3"* ]]
    }
    zip -q text.zip x.txt
    fails text.zip 1 'a zip archive without demos in it'
    head -c 60 text.zip >cut.zip
    fails cut.zip 2 'cannot be read'
    zip -q -P secret enc.zip a.lmp
    fails enc.zip 2 ':a.lmp: cannot be read: encrypted'
    zip -q inner.zip a.lmp && cp inner.zip inner.lmp && zip -q outer.zip inner.lmp
    fails outer.zip 2 'an archive in an archive'
    UNZIP=-l run dhinfo inner.zip # what the user sets for unzip is not for us
    [ "$status" = 0 ]
}

@test "an archive that was made to fill the disk is left" {
    need_cmd zip unzip
    head -c 300000000 /dev/zero >bomb.lmp
    zip -q bomb.zip bomb.lmp
    rm bomb.lmp
    run --separate-stderr dhinfo bomb.zip
    show
    [ "$status" = 2 ]
    [[ $stderr == 'dhinfo: bomb.zip:bomb.lmp: too large for a demo'* ]]
}

@test "a file whose name has a colon is that file" {
    lmp 109 '1 0 0 0' 80 >run:1
    cells run:1 file=run:1
}

# ---- at large --------------------------------------------------------------------------------------------------------

@test "thousands of demos in one go, in little memory" {
    # the same two thousand times: to make so many links takes longer than to read them
    local files=()
    cp "$DATA/walk.lmp" .
    mapfile -t files < <(yes ./walk.lmp | head -n 2000)
    if grep -q -e -fsanitize "$DH_BIN/obj/flags"; then
        dhinfo -t "${files[@]}" >out
    else
        local from=${EPOCHREALTIME/[.,]/} took
        (ulimit -v 32768 && dhinfo -t "${files[@]}" >out)
        took=$((${EPOCHREALTIME/[.,]/} - from))
        echo "2000 demos in $took microseconds"
        [ $took -lt 20000000 ] # a tenth of what it does on a machine that has nothing else to do
    fi
    [ "$(wc -l <out)" = 2001 ]
    [ "$(cell tics <out | sort -u)" = 2443 ]
}

@test "memory does not grow with a stream" {
    ! grep -q -e -fsanitize "$DH_BIN/obj/flags" || skip "sanitizers reserve address space of their own"
    { lmp 109 '1 0 0 0' && head -c 4000000 /dev/zero && hexfile 80; } >big.lmp
    lmp2dh -b big.lmp >big.dh
    (ulimit -v 32768 && dhinfo -t big.dh) | cell tics | grep -qx 1000000
}

@test "every DEMO lump of the free IWADs" {
    local name wad seen=0 missing=()
    for name in freedoom1 freedoom2 freedm; do
        wad=$(free_wad $name) || { missing+=("$name.wad"); continue; }
        dhinfo -t --all-lumps "$wad" >table
        [ "$(cell file <table)" = "$(printf "$wad:DEMO%d\n" 1 2 3 4)" ]
        [ "$(cell end <table | sort -u)" = whole ]
        seen=$((seen + 4))
    done
    [ ${#missing[@]} = 0 ] || skip "not installed: ${missing[*]} (the other $seen lumps are)"
}

# Worked out by hand from the files' bytes: length, header, marker, commands.
@test "real demos of many dialects" {
    need_file "$SHARED/dialects"
    dhinfo -t "$SHARED"/dialects/*.lmp >table
    local file row n=0
    while read -r file row; do
        [ "$(awk -F '\t' -v f="/$file" 'substr($1, length($1) - length(f) + 1) == f { print $3 "|" $4 "|" $6 "|" $7 "|" $8 "|" $9 "|" $12 }' table)" = "$row" ] ||
            { echo "$file: want $row, got"; grep "$file" table; false; }
        n=$((n + 1))
    done <<'END'
etern-hcrunch.lmp eternity|eternity|E1M1|3|single|1|819
freedoom-demo2_dm.lmp doom|doom19|E1M6 or MAP06|3|altdeath|3|3719
heretic-h1s1.lmp heretic|heretic|E1M1|4|single|1|1036
hexen-me1c.lmp hexen|hexen|MAP01|4|single|1|96255
v106-av09.lmp doom|doom16|E1M9 or MAP09|5|single|1|2586
v109-coop-av01.lmp doom|doom19|E1M1 or MAP01|4|coop|2|850
v111-coop-s211.lmp doom|longturns|MAP11|4|coop|2|4793
v202-damage.lmp boom|boom|MAP01|4|single|1|93
v203-1.lmp mbf|mbf|MAP12|4|single|1|1523
v214-nuts.lmp prboom|prboom6|MAP01|4|single|1|1630
END
    [ $n = 10 ]
    local all=("$SHARED"/dialects/*.lmp)
    [ "$(wc -l <table)" = $((${#all[@]} + 1)) ]
}
