#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhverify over demos, WADs and zip archives. Whether a replay is Doom's is the business of 60-doom.bats; here, that it is
# dhsim's, that the verdict is right, and that every demo has one.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset DOOMWADDIR DOOMWADPATH
    export HOME=$PWD/home XDG_CACHE_HOME=$PWD/cache
    mkdir home
    cp "$DATA/yard.wad" "$DATA/walk.lmp" "$DATA/coop4.lmp" .
    cut_walk 2000 out.lmp # in the intermission
}

# The first tics of walk.lmp: it leaves MAP01 in tic 1970, is on MAP02 from 2032 on, dies in 2288, is back in 2374.
cut_walk() { # TICS FILE
    { head -c $((13 + 4 * $1)) "$DATA/walk.lmp" && hexfile 80; } >"$2"
}

# Bounds the address space of what follows in this shell; sanitizers reserve some of their own.
little_memory() { # KILOBYTES
    grep -q -e -fsanitize "$DH_BIN/obj/flags" || ulimit -v "$1"
}

# A value of the one line on standard input.
value() { # NAME
    tr ' ' '\n' | sed -n "s/^$1=//p"
}

# A column of a table, by its name.
cell() { # COLUMN < TABLE
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } { print $k }'
}

# `says STATUS [OPERAND...] -- VERDICT NAME=VALUE...`: the status, and what the one line says.
says() {
    local want=$1 args=() line pair got=0
    shift
    while [ "$1" != -- ]; do
        args+=("$1")
        shift
    done
    shift
    dhverify "${args[@]}" >said 2>err || got=$?
    line=$(cat said)
    [ "$got/$(wc -l <said)" = "$want/1" ] || { echo "status $got, want $want"; cat said err; return 1; }
    [ "${line%% *}" = "$1" ] || { echo "verdict of: $line"; return 1; }
    shift
    for pair; do
        [ "$(value "${pair%%=*}" <said)" = "${pair#*=}" ] || { echo "${pair%%=*} is not '${pair#*=}': $line"; return 1; }
    done
}

# As dhsim sees a demo in the end.
digest_of() { # DEMO dhsim's options
    local demo=$1
    shift
    lmp2dh "$demo" 2>/dev/null | dhsim --digest "$@" 2>/dev/null | grep ^snapshot | tail -n 1 | value digest
}

# ---- verdicts --------------------------------------------------------------------------------------------------------

@test "finished: the inputs end behind the exit, or shortly after" {
    says 0 --iwad yard.wad out.lmp -- finished map=MAP01 skill=3 players=1 tics=2000 time=0:00:57.14 exits=1 leveltics=1969 \
        leveltime=0:00:56.25 kills=10/13 items=9/11 secrets=1/1 deaths=0 levels=MAP01:exit:1970:1969:10/13:9/11:1/1 \
        version=1.9 iwad=yard.wad iwadby=option end=whole notes=
    cut_walk 1969 last.lmp # the exit is in the last tic: no event says so any more
    says 0 --iwad yard.wad last.lmp -- finished exits=1 levels=MAP01:exit:1969:1969:10/13:9/11:1/1 leveltics=1969
    cut_walk 2206 on.lmp # five seconds of the next level
    says 0 --iwad yard.wad on.lmp -- finished exits=1
    [ "$(value levels <said | cut -d, -f 2 | cut -d: -f 1-4)" = MAP02:stop:2206:175 ]
    cut_walk 2207 on.lmp
    says 0 --iwad yard.wad on.lmp -- unfinished exits=1
}

@test "unfinished: in the middle of a level, alive; no inputs at all" {
    cut_walk 1968 a.lmp
    says 0 --iwad yard.wad a.lmp -- unfinished exits=0 leveltics=0 kills=0/0 levels=MAP01:stop:1968:1968:10/13:9/11:1/1
    cut_walk 0 a.lmp
    says 0 --iwad yard.wad a.lmp -- unfinished tics=0 map=MAP01
    # begun again after a death: not what a recording runs on for
    says 0 --iwad yard.wad walk.lmp -- unfinished exits=1 deaths=1
    [ "$(value levels <said | cut -d, -f 2)" = MAP02:died:2374:256 ]
}

@test "died: nobody is alive in the level, even right after an exit" {
    cut_walk 2300 a.lmp
    says 0 --iwad yard.wad a.lmp -- died exits=1 deaths=1
    [ "$(value levels <said | cut -d, -f 2 | cut -d: -f 1-4)" = MAP02:died:2300:269 ]
    # of four players some are dead, and that is not the end of the game
    says 0 --iwad yard.wad coop4.lmp -- unfinished players=4 skill=4
    [ "$(value deaths <said)" -gt 0 ]
}

@test "the digest, the files and their closure are dhsim's" {
    local f
    for f in walk.lmp coop4.lmp out.lmp; do
        dhverify --iwad yard.wad $f >said
        [ "$(value digest <said)" = "$(digest_of $f --iwad yard.wad)" ]
        [ "$(value closure <said)" = "$(lmp2dh $f | dhsim --iwad yard.wad --digest | grep ^header | value closure)" ]
    done
    need_wad freedoom2
    dhverify --iwad "$WAD" --file yard.wad --game-version 1.666 --nodeh walk.lmp >said
    [ "$(value digest <said)" = "$(digest_of walk.lmp --iwad "$WAD" --file yard.wad --game-version 1.666 --nodeh)" ]
    [ "$(value version <said)/$(value settings <said)" = 1.666/nodeh:1,game-version:1.666 ]
    [ "$(value iwad <said)/$(value files <said)/$(value filesby <said)" = freedoom2.wad/yard.wad/option ]
}

@test "the demos in the free IWADs, on the WAD that they are in" {
    need_wad freedoom1
    dhverify -t --all-lumps "$WAD" >table
    [ "$(wc -l <table)" -gt 2 ]
    [ "$(cell iwadby <table | sort -u)" = archive ]
    local i lumps
    mapfile -t lumps < <(cell file <table)
    for ((i = 0; i < ${#lumps[@]}; i += 2)); do
        [ "$(cell digest <table | sed -n $((i + 1))p)" = "$(digest_of "${lumps[i]}" --iwad "$WAD")" ]
    done
    says 0 "${lumps[0]}" -- "$(cell verdict <table | head -n 1)" iwadby=archive
}

# ---- unplayable ------------------------------------------------------------------------------------------------------

@test "no WAD: a row that says so, and the next demo" {
    mkdemo -t 35 -m 77 >far.lmp # a map that no IWAD has
    run --separate-stderr dhverify far.lmp
    show
    [ "$status" = 2 ]
    [[ $output == 'unplayable far.lmp skill=4 players=1 end=whole notes=no\040WAD:\040'* ]]
    [[ $stderr == 'dhverify: far.lmp: no WAD: no doom2.wad or freedoom2.wad with MAP77 is found' ]]
    run --separate-stderr dhverify --iwad yard.wad far.lmp out.lmp
    show
    [ "$status" = 2 ]
    [ "$(cut -d' ' -f 1-2 <<<"$output")" = "$(printf 'unplayable far.lmp\nfinished out.lmp')" ]
    # a WAD that is named for all is another matter
    run --separate-stderr dhverify --iwad no.wad out.lmp
    [ "$status" = 2 ]
    [ -z "$output" ]
    [[ $stderr == 'dhverify: no.wad: not found in '* ]]
}

@test "dialects without a world, key frames, streams, Blood's, text: unplayable, and why" {
    { hexfile cb1d4d4246e600 00 04 01 02 00 00 && head -c 64 /dev/zero && hexfile 01 && head -c 31 /dev/zero && hexfile 00000000 80; } >mbf.lmp
    { hexfile 44454d1a 1501 03000000 01000000 01000000 0000 0000 ffff; head -c 381 /dev/zero; } >blood.dem
    echo 'once upon a time' >text.lmp
    local f
    for f in mbf.lmp:'MBF: there is no world' "$DATA/sample.dh-demo":'a record stream' blood.dem:'a Blood demo' text.lmp:'not a demo: text'; do
        says 2 --iwad yard.wad "${f%%:*}" -- unplayable
        grep -qF "dhverify: ${f%%:*}: ${f#*:}" err
    done
    run --separate-stderr dhverify --iwad yard.wad mbf.lmp out.lmp blood.dem
    [ "$status" = 2 ]
    [ "$(wc -l <<<"$output")" = 3 ]
}

@test "truncated: replayed as far as it goes, told of, status 1; in its header: unplayable" {
    head -c $((13 + 4 * 2000 + 2)) walk.lmp >cut.lmp
    says 1 --iwad yard.wad cut.lmp -- finished tics=2000 end=truncated
    [ "$(cat err)" = 'dhverify: cut.lmp: truncated: no end marker (0x80): tick 2000, byte 8015' ]
    [ "$(value digest <said)" = "$(dhverify --iwad yard.wad out.lmp | value digest)" ]
    head -c 9 walk.lmp >cut.lmp
    says 1 --iwad yard.wad cut.lmp -- unplayable
    : >empty.lmp
    run --separate-stderr dhverify empty.lmp
    [ "$status" = 1 ]
    [ -z "$output" ]
    [ "$stderr" = 'dhverify: empty.lmp: empty: expected a demo: byte 0' ]
}

@test "a run that ends in an error: the tick, and what there was before" {
    sed '/^map MAP02/,$d' "$DATA/yard.map" >one.map # the next level is not there
    mkwad one.wad one.map
    says 2 --iwad one.wad walk.lmp -- unplayable exits=1 tics=2031 digest=
    grep -q '^dhverify: walk.lmp: .*MAP02.*: tick 2031$' err
}

# ---- which WADs ------------------------------------------------------------------------------------------------------

@test "a zip: every demo in it, on the WADs in it" {
    need_cmd zip
    mkdir sub
    mv yard.wad sub/YARD.WAD
    zip -q a.zip walk.lmp sub/YARD.WAD coop4.lmp
    dhverify a.zip >got
    [ "$(cut -d' ' -f 1-2 got)" = "$(printf 'unfinished a.zip:walk.lmp\nunfinished a.zip:coop4.lmp')" ]
    [ "$(cut -d' ' -f 3- got)" = "$(dhverify --iwad sub/YARD.WAD walk.lmp coop4.lmp | cut -d' ' -f 3- | sed s/iwadby=option/iwadby=archive/)" ]
    dhverify a.zip:coop4.lmp >one
    same one <(tail -n 1 got)
    # what the command line says goes before
    cp "$DATA/yard.wad" other.wad
    says 0 --iwad other.wad a.zip:walk.lmp -- unfinished iwad=other.wad iwadby=option
}

@test "a zip: PWADs on top of an IWAD, patches; two WADs with the map" {
    need_cmd zip
    need_wad freedoom2
    { printf PWAD && tail -c +5 yard.wad; } >a.wad
    cp a.wad b.wad
    printf 'Patch File for DeHackEd v3.0\nDoom version = 19\nPatch format = 6\n\nThing 1 (Player)\nSpeed = 0\n' >p.deh
    zip -q a.zip walk.lmp a.wad
    says 0 --iwad "$WAD" a.zip -- unfinished exits=1 iwad=freedoom2.wad iwadby=option files=a.wad filesby=archive
    [ "$(value digest <said)" = "$(digest_of walk.lmp --iwad "$WAD" --file a.wad)" ]
    zip -q a.zip p.deh
    says 0 --iwad "$WAD" a.zip -- unfinished files=a.wad,p.deh filesby=archive,archive
    [ "$(value digest <said)" = "$(digest_of walk.lmp --iwad "$WAD" --file a.wad --deh p.deh)" ]
    says 0 --iwad "$WAD" --deh none --file none a.zip -- unfinished files= filesby=
    zip -q a.zip b.wad
    says 0 --iwad "$WAD" --deh none a.zip -- unfinished files=a.wad,b.wad
    [[ $(value notes <said) == several* ]]
}

# With a footer of one lump, a command line.
with_footer() { # FILE COMMAND-LINE > FILE
    local n=${#2}
    cat "$1"
    hexfile 50574144 01000000 "$(printf '%02x000000' $((12 + n)))"
    printf %s "$2"
    hexfile 0c000000 "$(printf '%02x000000' "$n")" 434d444c494e4500
}

@test "the footer: its WADs and settings, in the archive and in folders, and no folder of its choice" {
    need_cmd zip
    mkdir wads
    mv yard.wad wads/Yard.wad
    # shellcheck disable=SC2016
    with_footer walk.lmp '-iwad C:\games\yard -complevel 2 -solo-net' >f.lmp
    says 0 --wads wads f.lmp -- unfinished iwad=Yard.wad iwadby=footer settings=solo-net:1,game-version:1.9
    [ "$(value digest <said)" = "$(digest_of f.lmp --iwad wads/Yard.wad --use-footer)" ]
    DOOMWADDIR=wads says 0 f.lmp -- unfinished iwad=Yard.wad iwadby=footer
    DOOMWADPATH=nowhere:wads says 0 f.lmp -- unfinished iwad=Yard.wad iwadby=footer
    zip -q a.zip f.lmp wads/Yard.wad
    says 0 a.zip -- unfinished iwad=Yard.wad iwadby=footer
    run --separate-stderr dhverify f.lmp
    [ "$status" = 2 ]
    [[ $stderr == 'dhverify: f.lmp: no WAD: yard, which the demo'"'"'s footer names, is not found' ]]
    # given: the footer is left alone, unless it is asked for what is left open
    says 0 --iwad wads/Yard.wad f.lmp -- unfinished iwadby=option settings=
    says 0 --iwad wads/Yard.wad --use-footer f.lmp -- unfinished iwadby=option settings=solo-net:1,game-version:1.9
    says 0 --iwad wads/Yard.wad --use-footer --game-version 1.666 f.lmp -- unfinished version=1.666 \
        settings=game-version:1.666,solo-net:1
    with_footer walk.lmp "-iwad $PWD/wads/Yard.wad -file x.wad" >f.lmp
    says 2 --wads wads f.lmp -- unplayable
    grep -q 'no WAD: x.wad' err
}

@test "the IWAD by the demo's map, and by guess where two names fit" {
    need_wad freedoom1
    need_wad freedoom2
    mkdemo -t 70 -e 2 -m 3 >e.lmp
    mkdemo -t 70 -m 20 >m.lmp
    mkdemo -t 70 -m 3 >x.lmp
    mkdir wads none
    ln -s "$(free_wad freedoom1)" "$(free_wad freedoom2)" wads/
    says 0 --wads wads e.lmp -- unfinished map=E2M3 iwadby=map
    says 0 --wads wads m.lmp -- unfinished map=MAP20 iwadby=map
    says 0 --wads wads x.lmp -- unfinished map=MAP03 iwadby=guess
    cp "$(free_wad freedoom1)" none/DOOM2.WAD # by that name, and without MAP03: passed over
    says 0 --wads none --wads wads x.lmp -- unfinished map=MAP03 iwad=freedoom2.wad
}

# ---- in archives -----------------------------------------------------------------------------------------------------

@test "zip archives that are empty, cut, encrypted, or lie; archives in archives" {
    need_cmd zip
    echo x >x.txt
    fails() { # FILE STATUS WORDS
        run --separate-stderr dhverify --iwad yard.wad "$1"
        show
        [ "$status" = "$2" ] && [ -z "$output" ] && [[ $stderr == "dhverify: $1"*"$3"* ]]
    }
    zip -q text.zip x.txt
    fails text.zip 1 'a zip archive without demos in it'
    zip -q a.zip out.lmp
    head -c 60 a.zip >cut.zip
    fails cut.zip 2 'cannot be read'
    zip -q -P secret enc.zip out.lmp
    fails enc.zip 2 ':out.lmp: cannot be read: encrypted'
    cp a.zip inner.lmp && zip -q outer.zip inner.lmp
    fails outer.zip 2 ':inner.lmp: an archive in an archive'
    { head -c 200 a.zip && hexfile ffff && tail -c +203 a.zip; } >bad.zip
    fails bad.zip 2 ':out.lmp: cannot be read'
    # a WAD that cannot be read may be what the demo needs
    zip -q w.zip out.lmp && zip -q -P secret w.zip yard.wad
    says 2 w.zip -- unplayable
    grep -q '^dhverify: w.zip:out.lmp: yard.wad: cannot be read' err
    fails a.zip:no.lmp 2 ': no such file in the archive'
}

@test "an archive that was made to fill the memory is left" {
    need_cmd zip
    head -c 300000000 /dev/zero >big.lmp
    zip -q -9 big.zip big.lmp out.lmp
    rm big.lmp
    little() { little_memory 200000 && dhverify --iwad yard.wad big.zip; }
    run --separate-stderr little
    show
    [ "$status" = 2 ]
    [ "$(cut -d' ' -f 1-2 <<<"$output")" = 'finished big.zip:out.lmp' ]
    [[ $stderr == 'dhverify: big.zip:big.lmp: too large for a demo'* ]]
}

@test "names that nobody should print, and names that mean something" {
    need_cmd zip
    # shellcheck disable=SC2016
    local names=(-x.lmp 'b[1].lmp' 'sp ace.LMP' 'a=b,c.lmp' $'\033[31m.lmp' '$(touch boo).lmp') n
    mkdir in
    for n in "${names[@]}"; do cp out.lmp "in/$n"; done
    (cd in && zip -q -r - .) >z.zip
    dhverify --iwad yard.wad z.zip >got
    [ "$(wc -l <got)" = ${#names[@]} ]
    run ! grep -q "$(printf '\033')" got
    # shellcheck disable=SC2016
    [ "$(cut -d' ' -f 2 got | sort | tr '\n' ' ')" = 'z.zip:$(touch\040boo).lmp z.zip:-x.lmp z.zip:\033[31m.lmp z.zip:a\075b\054c.lmp z.zip:b[1].lmp z.zip:sp\040ace.LMP ' ]
    [ ! -e boo ]
    dhverify -j --iwad yard.wad z.zip | grep -qF '"file":"z.zip:a=b,c.lmp"'
    run -2 --separate-stderr dhverify --iwad none z.zip
    run ! grep -q "$(printf '\033')" <<<"$stderr"
    for n in "${names[@]}"; do says 0 --iwad yard.wad "z.zip:$n" -- finished; done
}

# ---- forms -----------------------------------------------------------------------------------------------------------

@test "-t: a table; -j: an object a line, with the levels as objects" {
    dhverify -t --iwad yard.wad walk.lmp out.lmp "$DATA/sample.dh-demo" >table 2>/dev/null || [ $? = 2 ]
    [ "$(wc -l <table)" = 4 ]
    [ "$(awk -F '\t' '{ print NF }' table | sort -u)" = 25 ]
    [ "$(cell verdict <table | tr '\n' ' ')" = 'unfinished finished unplayable ' ]
    [ "$(cell levels <table | sed -n 2p)" = MAP01:exit:1970:1969:10/13:9/11:1/1 ]
    dhverify -j --iwad yard.wad walk.lmp out.lmp >json
    [ "$(wc -l <json)" = 2 ]
    grep -qF '{"verdict":"finished","file":"out.lmp","map":"MAP01","skill":3,"players":1,"tics":2000,"time":"0:00:57.14","exits":1,"leveltics":1969,' json
    grep -qF '"levels":[{"map":"MAP01","end":"exit","tic":1970,"tics":1969,"kills":10,"totalkills":13,"items":9,"totalitems":11,"secrets":1,"totalsecrets":1}],' json
    grep -qF '{"map":"MAP02","end":"died","tic":2374,"tics":256,"kills":null,' json
    ! command -v python3 >/dev/null || python3 -c 'import json, sys
for line in open("json"): assert len(json.loads(line)) == 25' </dev/null
}

@test "standard input: one demo, from a pipe and from a file" {
    dhverify --iwad yard.wad out.lmp | cut -d' ' -f 3- >want
    # shellcheck disable=SC2002
    cat out.lmp | dhverify --iwad yard.wad >got
    [ "$(cut -d' ' -f 1-2 got)" = 'finished -' ]
    same <(cut -d' ' -f 3- got) want
    dhverify --iwad yard.wad - <out.lmp | cut -d' ' -f 3- >got
    same got want
    dhverify --iwad yard.wad <(cat out.lmp) walk.lmp | head -n 1 | cut -d' ' -f 3- >got
    same got want
    run_pipe --separate-stderr 'cat out.lmp | dhverify --iwad yard.wad - walk.lmp -'
    [ "$status" = 1 ]
    [ "$(wc -l <<<"$output")" = 2 ]
    [[ $stderr == 'dhverify: standard input: empty: '* ]]
    run --separate-stderr bash -c 'cat out.lmp | dhverify --iwad yard.wad --expect <(dhverify --iwad yard.wad out.lmp)'
    [ "$status" = 1 ]
}

# ---- --expect --------------------------------------------------------------------------------------------------------

@test "--expect: equal, as lines and as a table, whatever the order" {
    dhverify --iwad yard.wad walk.lmp out.lmp coop4.lmp >want
    dhverify -t --iwad yard.wad walk.lmp out.lmp coop4.lmp >want.tsv
    run --separate-stderr dhverify --iwad yard.wad --expect want coop4.lmp walk.lmp out.lmp
    show
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$(sort <<<"$output")" = "$(sort want)" ]
    run --separate-stderr dhverify -j --iwad yard.wad --expect want.tsv walk.lmp out.lmp coop4.lmp
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    # how a file was found is no difference
    sed 's/iwadby=option/iwadby=footer/' want >other
    dhverify --iwad yard.wad --expect other walk.lmp out.lmp coop4.lmp >/dev/null
    # an older table without a column says nothing of it
    cut -f 1-14,16- want.tsv >older.tsv
    dhverify --iwad yard.wad --expect older.tsv walk.lmp out.lmp coop4.lmp >/dev/null
}

@test "--expect: the first field that differs, expected and found, status 3" {
    dhverify --iwad yard.wad walk.lmp out.lmp >want
    dhverify -t --iwad yard.wad walk.lmp out.lmp >want.tsv
    sed '2s/digest=0x[0-9a-f]*/digest=0x0123456789abcdef/' want >wrong
    run --separate-stderr dhverify --iwad yard.wad --expect wrong walk.lmp out.lmp
    show
    [ "$status" = 3 ]
    [ "$stderr" = "dhverify: out.lmp: digest: expected '0x0123456789abcdef', found '$(sed -n 2p want | value digest)'" ]
    same <(echo "$output") want # the rows are those that are
    sed '3s/^finished/died/' want.tsv >wrong.tsv
    run --separate-stderr dhverify --iwad yard.wad --expect wrong.tsv walk.lmp out.lmp
    [ "$status" = 3 ]
    [ "$stderr" = "dhverify: out.lmp: verdict: expected 'died', found 'finished'" ]
    # other WADs: that is why
    { cat yard.wad && echo; } >yard2.wad
    run --separate-stderr dhverify --iwad yard2.wad --expect want walk.lmp out.lmp
    [ "$status" = 3 ]
    [[ $stderr == "dhverify: walk.lmp: iwad: expected 'yard.wad', found 'yard2.wad'"* ]]
    sed '1s/ end=whole/ notes=odd end=whole/' want >wrong
    run --separate-stderr dhverify --iwad yard.wad --expect wrong walk.lmp out.lmp
    [ "$status" = 3 ]
    [ "$stderr" = "dhverify: walk.lmp: notes: expected 'odd', found ''" ]
}

@test "--expect: a demo too many, and one too few, status 1; several of one name" {
    dhverify --iwad yard.wad walk.lmp out.lmp >want
    run --separate-stderr dhverify --iwad yard.wad --expect want walk.lmp out.lmp coop4.lmp
    [ "$status" = 1 ]
    [ "$stderr" = 'dhverify: want: nothing is expected of coop4.lmp' ]
    run --separate-stderr dhverify --iwad yard.wad --expect want out.lmp
    [ "$status" = 1 ]
    [ "$stderr" = 'dhverify: want: walk.lmp: expected, and not among the demos' ]
    run --separate-stderr dhverify --iwad yard.wad --expect want walk.lmp out.lmp out.lmp
    [ "$status" = 1 ]
    cat want want | dhverify --iwad yard.wad --expect - walk.lmp out.lmp out.lmp walk.lmp >/dev/null
    : >nothing
    run --separate-stderr dhverify --iwad yard.wad --expect nothing out.lmp
    [ "$status" = 1 ]
    # both: 3 is the worse
    sed 's/kills=10/kills=11/' want >wrong
    run --separate-stderr dhverify --iwad yard.wad --expect wrong walk.lmp coop4.lmp
    [ "$status" = 3 ]
}

@test "--expect: a file that is none" {
    dhverify -j --iwad yard.wad out.lmp >json
    dhverify --iwad yard.wad out.lmp >want
    head -c 100 want >cut
    { cat want && echo 'so it goes'; } >odd
    local f
    for f in json cut odd; do
        run --separate-stderr dhverify --iwad yard.wad --expect $f out.lmp
        show
        [ "$status" = 2 ]
        [[ $stderr == "dhverify: $f: "* ]]
        [ -z "$output" ]
    done
    [[ $stderr == *': line 2' ]]
    run --separate-stderr dhverify --expect no/file out.lmp
    [ "$status" = 2 ]
}

# ---- processes -------------------------------------------------------------------------------------------------------

@test "-P: the same bytes in the same order, whatever the number" {
    need_cmd zip
    local i
    for i in 1 2 3 4 5 6 7 8; do cut_walk $((i * 37)) d$i.lmp; done
    zip -q a.zip d[1-4].lmp yard.wad
    head -c 500 walk.lmp >cut.lmp
    echo text >text.lmp
    args=(--iwad yard.wad d5.lmp walk.lmp a.zip no.lmp d6.lmp cut.lmp a.zip:d2.lmp text.lmp coop4.lmp out.lmp d7.lmp d8.lmp)
    dhverify -P 1 "${args[@]}" >want 2>want.err || [ $? = 2 ]
    [ "$(wc -l <want)" = 14 ]
    [ "$(wc -l <want.err)" = 3 ]
    for i in 2 3 16; do
        dhverify -P $i "${args[@]}" >got 2>got.err || [ $? = 2 ]
        same got want
        same got.err want.err
    done
    dhverify "${args[@]}" 2>/dev/null >got || [ $? = 2 ]
    same got want
}

@test "-P: thousands of demos in little memory, and more processes than demos" {
    cut_walk 3 s.lmp
    # shellcheck disable=SC2046 # many operands
    (little_memory 65536 && dhverify -P 3 --iwad yard.wad $(yes s.lmp | head -n 3000)) | sort | uniq -c >got
    [ "$(awk '{ print $1, $2, $3 }' got)" = '3000 unfinished s.lmp' ]
    says 0 -P 64 --iwad yard.wad out.lmp -- finished
}

@test "a process that dies is told of, and another goes on" {
    need_cmd pgrep
    cut_walk 3 s.lmp
    mkdemo -s 5 -t 2000000 >long.lmp # longer than it takes to find and kill who plays it
    dhverify -P 1 --iwad yard.wad s.lmp long.lmp out.lmp s.lmp >got 2>err &
    local pid=$! worker='' i
    for ((i = 0; i < 200; i++)); do
        worker=$(pgrep -P $pid) && sleep 1 && break
        sleep 0.05
    done
    kill -9 "$worker"
    i=0
    wait $pid || i=$?
    [ $i = 2 ]
    [ "$(cut -d' ' -f 1-2 got)" = "$(printf 'unfinished s.lmp\nunplayable long.lmp\nfinished out.lmp\nunfinished s.lmp')" ]
    [ "$(cat err)" = 'dhverify: long.lmp: the process that replayed it died: Killed' ]
}

@test "whoever reads goes away: no worker stays" {
    need_cmd pgrep
    cut_walk 300 s.lmp
    # shellcheck disable=SC2046 # many operands
    { dhverify -P 2 --iwad yard.wad $(yes s.lmp | head -n 1500) 2>err || echo $? >status; } | head -n 1 >got
    [ "$(cat status)" = 141 ]
    [ ! -s err ]
    local i
    for ((i = 0; i < 100; i++)); do
        pgrep -f "^dhverify -P 2 --iwad yard.wad s.lmp" >/dev/null || break
        sleep 0.1
    done
    [ $i -lt 100 ]
}

@test "misuse" {
    run --separate-stderr dhverify -P 0 out.lmp
    [ "$status" = 2 ]
    [[ $stderr == 'dhverify: -P: expected a number from 1 to 1024'* ]]
    run --separate-stderr dhverify --game-version 2.0 --iwad yard.wad out.lmp
    [ "$status" = 2 ]
    [[ $output == 'unplayable out.lmp '* ]]
    run --separate-stderr dhverify --iwad yard.wad yard.wad
    [ "$status" = 2 ]
    [[ $stderr == *'name a lump in it'* ]]
}
