#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhsim as a filter, on our own WAD and demo; whether what it simulates is Doom is the business of 60-doom.bats.
# The order of records within a tick, restoring and truncation are in unit/replay, on a world made for that.

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset DOOMWADDIR DOOMWADPATH
    export HOME=$PWD/home XDG_CACHE_HOME=$PWD/cache
    mkdir home wads
    cp "$DATA/yard.wad" wads/
    lmp2dh "$DATA/walk.lmp" >walk
}

# The records that a replay does not make.
recorded() {
    grep -vE '^(schema (state|[A-Z])|header|resource|snapshot|event) ?' "$@"
}

# No line of the file matches. (A bare `! grep` does not end a bats test.)
lacks() { # PATTERN FILE
    ! grep "$1" "$2"
}

counts() { # the ticks that have a state
    sed -n 's/^\(snapshot\|checkpoint\) \([0-9]*\) \(-\|digest\) .*/\2/p' "$@"
}

@test "records pass, states and events come between them" {
    dhsim --iwad wads/yard.wad walk >out
    recorded walk >want
    recorded out >got
    same got want
    dhcat out >canonical
    same out canonical
    grep -q '^header game=doom map=MAP01 closure=[0-9a-f]\{64\} rate=35 ' out
    [ "$(counts out | head -n 3 | tr '\n' ' ')" = '0 175 350 ' ]
    [ "$(counts out | tail -n 1)" = "$(sed -n 's/^end \([0-9]*\) .*/\1/p' walk)" ]
    grep -q '^event [0-9]* exit 0 map=MAP01 ' out
    grep -q '^event [0-9]* final 0 x=' out
    grep -qx 'snapshot 0 - entities=[0-9]* digest=0x[0-9a-f]* .*leveltime=0 .*' out
    dh2lmp out | cmp - "$DATA/walk.lmp"
}

@test "the other encoding, standard input, several streams" {
    dhsim --iwad wads/yard.wad walk >out
    dhsim -b --iwad wads/yard.wad walk | dhcat | cmp - out
    dhcat -b walk | dhsim --iwad wads/yard.wad | cmp - out
    dhcat -b walk | dhsim -u --iwad wads/yard.wad - | cmp - out
    dhcat walk | dhsim --iwad wads/yard.wad walk - >two
    cat out out | cmp - two
    cat walk walk | dhsim --iwad wads/yard.wad | cmp - two
}

@test "a replay of a replay is the same, whatever the first one's options were" {
    dhsim --iwad wads/yard.wad walk >out
    for options in '' '--digest' '--every 50' '--window 7:9'; do
        # shellcheck disable=SC2086
        (cd wads && dhsim $options --iwad yard.wad ../walk | dhsim) >again
        same again out
    done
}

@test "the settings of a replay are in its header: the next one takes them over" {
    local n=0 settings option
    dhsim --iwad wads/yard.wad walk >plain
    lacks '^schema option' plain
    while read -r settings; do
        # shellcheck disable=SC2086
        dhsim --iwad wads/yard.wad $settings walk >first
        n=$((n + 1))
        (cd wads && dhsim ../first) >again
        same again first
        (cd wads && dhsim -b ../first | dhsim -b | dhsim) >again
        same again first
        (cd wads && dhsim --checkpoint --digest ../first | dhsim --digest) >again
        cmp <(grep '^snapshot' again) <(cd wads && dhsim --digest ../first | grep '^snapshot')
        (cd wads && dhsim --reset ../first) >again
        same again plain
        dh2lmp first | cmp - "$DATA/walk.lmp"
    done <<'END'
--game-version ultimate
--game-version 1.1
--nodeh
--dehlump --game-version 1.2 --nodeh
END
    [ $n = 4 ]
    # it is an executable that makes a difference, or this says nothing
    cmp -s <(grep '^snapshot' plain) <(dhsim --iwad wads/yard.wad --game-version 1.1 walk | grep '^snapshot') && false
    option=$(grep '^header' first | grep -o ' option.*')
    [ "$option" = ' option.dhsim.dehlump=1 option.dhsim.game-version=1.2 option.dhsim.nodeh=1' ]
    # and whoever compares them is told
    run -3 dhdiff first plain
    same <(head -n 3 <<<"$output") <(printf '%s\n' 'SETUP option.dhsim.dehlump: recorded -, replayed 1' \
        'SETUP option.dhsim.game-version: recorded -, replayed 1.2' 'SETUP option.dhsim.nodeh: recorded -, replayed 1')
    [[ $(sed -n 4p <<<"$output") == DIVERGED* ]]
    # what is given counts, for this key alone
    (cd wads && dhsim --game-version 1.1 ../first | grep '^header' | grep -o ' option.*') >got
    same got <(echo ' option.dhsim.game-version=1.1 option.dhsim.dehlump=1 option.dhsim.nodeh=1')
    # each stream has its own
    (cd wads && cat ../first ../plain ../first | dhsim) >got
    cat first plain first | same got -
}

@test "a demo's own options stay beside the settings, and settings that are none are errors" {
    dhsim --iwad wads/yard.wad --game-version 1.2 walk >first
    sed 's/^schema option .*/schema option port:str dhsim.game-version:str cmdline:str/
        s/ option.dhsim.game-version=1.2/ option.port=X option.dhsim.game-version=1.2 option.cmdline=-y/' first >mixed
    (cd wads && dhsim ../mixed) >got
    grep -q '^header .* option.port=X option.cmdline=-y option.dhsim.game-version=1.2$' got
    (cd wads && dhsim --reset ../mixed) >got
    grep -qx 'schema option port:str cmdline:str' got
    grep -q '^header .* option.port=X option.cmdline=-y$' got
    # and where the schema of another subject is the same
    sed 's/^schema option .*/schema option,join dhsim.game-version:str/; s/^join .*/& dhsim.game-version=a/' first >mixed
    (cd wads && dhsim --game-version 1.1 --nodeh ../mixed) >got
    grep -qx 'schema join dhsim.game-version:str' got
    grep -qx 'schema option dhsim.game-version:str dhsim.nodeh:str' got

    cd wads
    wrong() { # TEXT SED
        sed "$2" ../first >../wrong
        run --separate-stderr -2 dhsim ../wrong
        [[ $stderr == *"$1"* ]] || { echo "expected '$1'" && show && false; }
        run ! grep '^end ' <<<"$output"
    }
    wrong "header: option.dhsim.game-version: expected a text" \
        's/^schema option .*/schema option dhsim.game-version:u8/; s/game-version=1.2/game-version=1/'
    wrong "header: option.dhsim.game-version: expected a text without a zero byte" 's/game-version=1.2/game-version=1.2\\000/'
    wrong "game version '1.3': expected " 's/game-version=1.2/game-version=1.3/'
    wrong "game version '': expected " 's/game-version=1.2/game-version=/'
    wrong "more than 15 settings" "s/^schema option .*/schema option $(printf 'dhsim.s%d:str ' $(seq 16))dhsim.t:str/
        s/ option.dhsim.game-version=1.2//"
}

@test "--every, --window" {
    end=$(sed -n 's/^end \([0-9]*\) .*/\1/p' walk)
    [ "$(dhsim --iwad wads/yard.wad --every 0 walk | counts)" = "$end" ]
    { seq 0 1000 "$end" && echo "$end"; } | cmp - <(dhsim --iwad wads/yard.wad --every 1000 walk | counts)
    { seq 5 7 && echo "$end"; } | cmp - <(dhsim --iwad wads/yard.wad --every 0 --window 5:8 walk | counts)
    { seq 0 2 && echo "$end"; } | cmp - <(dhsim --iwad wads/yard.wad --every 0 --window :3 walk | counts)
    seq $((end - 2)) "$end" | cmp - <(dhsim --iwad wads/yard.wad --every 0 --window $((end - 2)): walk | counts)
    dhsim --iwad wads/yard.wad --every 1 walk | dhcat -k snapshot -F tick,leveltime | head -n 3 >got
    printf '%s\t%s\n' 0 0 1 1 2 2 >want
    same got want
}

@test "--every 0: the first inputs count although no state comes before them" {
    dhsim --iwad wads/yard.wad --digest walk | grep -E '^(event|end)' >want
    dhsim --iwad wads/yard.wad --digest walk | grep ^snapshot | tail -n 1 >>want
    dhsim --iwad wads/yard.wad --digest --every 0 walk | grep -E '^(event|end)' >got
    dhsim --iwad wads/yard.wad --digest --every 0 walk | grep ^snapshot >>got
    same got want
}

@test "--digest: the digests of the states in full" {
    dhsim --iwad wads/yard.wad walk >full
    dhsim --iwad wads/yard.wad --digest --window 10:12 walk >digest
    grep -q '^snapshot 175 digest entities=[0-9]* .* digest.Marine=1:0x' digest
    [ "$(grep -c '^snapshot 175 ' digest)" = 1 ]
    [ "$(grep -c '^snapshot 10 ' digest)" -gt 50 ]
    sed -n 's/^snapshot \([0-9]*\) \(-\|digest\) .* digest=\(0x[0-9a-f]*\).*/\1 \3/p' full >want
    grep -v '^snapshot 1[01] ' digest | sed -n 's/^snapshot \([0-9]*\) \(-\|digest\) .* digest=\(0x[0-9a-f]*\).*/\1 \3/p' >got
    same got want
    grep -v '^snapshot 1[01] ' digest | dhdiff - full
}

@test "--until: a whole stream, and the input is read to its end" {
    dhsim --iwad wads/yard.wad --until 100 walk >out
    [ "$(tail -n 1 out)" = 'end 100 reason=until' ]
    [ "$(counts out | tr '\n' ' ')" = '0 100 ' ]
    [ "$(grep ^input out | tail -n 1 | cut -d' ' -f2)" = 99 ]
    run_pipe -0 "yes '' | head -n 200000 | sed 's/.*/input 0 0/' | awk '{ \$2 = NR - 1 } 1' >rest; { grep -vE '^(input|end)' walk; cat rest; echo end 200000 reason=stop; } | dhsim --iwad wads/yard.wad --until 10 | tail -n 1"
    [ "$output" = 'end 10 reason=until' ]
    # as the slice does
    dhsplit --until 100 walk | dhsim --iwad wads/yard.wad | sed 's/reason=split/reason=until/' | cmp - out
    run -2 --separate-stderr bash -c "sed 's/ start=0 / start=50 /; s/ 0 0 wire/ 50 0 wire/; /^input [0-9] /d; /^input [1-4][0-9] /d' walk | dhsim --iwad wads/yard.wad --until 40"
    [[ $stderr == *'the recording starts at tick 50, after tick 40'* ]]
}

@test "--checkpoint: a golden file" {
    dhsim --iwad wads/yard.wad --checkpoint --every 500 walk >golden
    lacks ^snapshot golden
    [ "$(counts golden | head -n 2 | tr '\n' ' ')" = '0 500 ' ]
    grep -q '^header .* interval=500 ' golden
    dhsim --iwad wads/yard.wad golden >both
    run -0 dhdiff both
    [[ $output == *'all equal' ]]
    run -0 bash -c 'dhsim --iwad wads/yard.wad --digest --every 500 walk | dhdiff - golden'
    dhsim --iwad wads/yard.wad --checkpoint golden >again
    same again golden
    dh2lmp golden | cmp - "$DATA/walk.lmp"
    # digests serve as well, in a fraction of the space
    dhsim --iwad wads/yard.wad --checkpoint --digest --every 500 walk >small
    run -0 bash -c 'dhsim --iwad wads/yard.wad small | dhdiff'
    [ "$(wc -c <small)" -lt "$(wc -c <golden)" ]
    # a demo that was changed does not go the same way
    sed '/^input 50 /d' both | awk '$1 == "input" && $2 == 49 { print; print "input 50 0 forward=-50 turn=512"; next } 1' |
        dhsim --iwad wads/yard.wad >other
    run -3 dhdiff other
    [[ $output == 'DIVERGED tick 500 '* ]]
}

@test "where a WAD is looked for" {
    dhsim --iwad wads/yard.wad walk | sed 's/name=yard.wad/name=NAME/' >want
    found() { # OPTION-WORDS...: the same replay
        "$@" walk | sed 's/name=[Yy][Aa][Rr][Dd].[Ww][Aa][Dd]/name=NAME/' | cmp - want
    }
    run -2 --separate-stderr dhsim --iwad yard walk
    [[ $stderr == *'yard: not found in DOOMWADDIR, DOOMWADPATH or the usual folders'* ]]
    [ "$output" = '' ]
    DOOMWADDIR=$PWD/wads found dhsim --iwad yard
    DOOMWADDIR=$PWD/wads found dhsim --iwad YARD.wad
    DOOMWADPATH=/no/such:$PWD/home:$PWD/wads found dhsim --iwad Yard
    cp wads/yard.wad wads/YARD.WAD
    DOOMWADDIR=wads found dhsim --iwad yard
    mkdir -p home/.local/share/games/doom
    mv wads/YARD.WAD home/.local/share/games/doom/
    found dhsim --iwad yard.wad
    rm -r home/.local
    (cd wads && dhsim --iwad yard ../walk) | sed 's/name=yard.wad/name=NAME/' | cmp - want
    # a name with a slash is a path and nothing else
    DOOMWADDIR=wads run -2 dhsim --iwad ./yard.wad walk
    # a folder of the name is none
    mkdir -p folders/yard.wad
    DOOMWADDIR=folders DOOMWADPATH=wads found dhsim --iwad yard
}

@test "no IWAD: an error, never a guess" {
    run -2 --separate-stderr dhsim walk
    [ "$output" = '' ]
    [[ $stderr == *'no IWAD: the recording names none'* ]]
    DOOMWADDIR=wads run -2 dhsim walk
    dhsim --iwad wads/yard.wad walk >named
    run -2 --separate-stderr dhsim named
    [[ $stderr == *'yard.wad: not found'* ]]
    DOOMWADDIR=wads dhsim named | cmp - named
    # where a recording says that its WAD is, does not matter
    mkdir secret && cp wads/yard.wad secret/
    sed 's|name=yard.wad|name=../secret/yard.wad|' named >traversal
    run -2 dhsim traversal
    DOOMWADDIR=wads dhsim traversal 2>/dev/null | cmp - named
}

@test "resources: what was loaded, and how it differs from what was recorded" {
    sha=$(sha256sum <wads/yard.wad | cut -d' ' -f1) md5=$(md5sum <wads/yard.wad | cut -d' ' -f1)
    dhsim --iwad wads/yard.wad walk >named
    grep -qx "resource role=iwad name=yard.wad size=$(wc -c <wads/yard.wad) sha256=0x$sha md5=0x$md5" named
    # the closure is the sum of those lines
    closure=$(printf 'iwad %s\n' "$sha" | sha256sum | cut -d' ' -f1)
    grep -q " closure=$closure " named

    run -0 --separate-stderr dhsim --iwad wads/yard.wad named
    [ "$stderr" = '' ]
    cp wads/yard.wad other.wad
    run -0 --separate-stderr dhsim --iwad other.wad named
    [[ $stderr == *'warning: other.wad: another iwad than the recorded yard.wad'* ]]
    { cat wads/yard.wad && printf x; } >longer.wad && mkdir long && mv longer.wad long/yard.wad
    run -0 --separate-stderr dhsim --iwad long/yard.wad named
    [[ $stderr == *"warning: yard.wad: $(wc -c <long/yard.wad) bytes, recorded $(wc -c <wads/yard.wad)"* ]]
    sed "s/sha256=0x..../sha256=0x0000/" named >other
    run -0 --separate-stderr dhsim --iwad wads/yard.wad other
    [[ $stderr == *"warning: yard.wad: other content of the same size: sha256 ${sha:0:16}..., recorded 0000"* ]]
    sed "s/md5=0x..../md5=0x0000/" named >other
    run -0 --separate-stderr dhsim --iwad wads/yard.wad other
    [[ $stderr == *"md5 ${md5:0:16}..., recorded 0000"* ]]
    sed "s/closure=......../closure=00000000/" named >other
    run -0 --separate-stderr dhsim --iwad wads/yard.wad other
    [[ $stderr == *'closure hash is '*', recorded 00000000'* ]]
    run -0 --separate-stderr dhsim --iwad none --file wads/yard.wad named
    [[ $stderr == *'yard.wad: loaded as pwad, recorded was iwad yard.wad in its place'* ]]
}

@test "--file: WADs on top, in order; --iwad none" {
    dhsim --iwad none --file wads/yard.wad walk >out
    grep -q '^resource role=pwad name=yard.wad ' out
    [ "$(grep -c ^resource out)" = 1 ]
    cp wads/yard.wad top.wad
    dhsim --iwad wads/yard.wad --file top.wad --file wads/yard.wad walk >out
    [ "$(sed -n 's/^resource role=\([a-z]*\) name=\([a-z.]*\) .*/\1 \2/p' out | tr '\n' ' ')" = 'iwad yard.wad pwad top.wad pwad yard.wad ' ]
    # what the recording names is loaded again, unless it is said otherwise
    DOOMWADDIR=wads dhsim out | cmp - out
    DOOMWADDIR=wads run -0 --separate-stderr dhsim --file none out
    [ "$(grep -c ^resource <<<"$output")" = 1 ]
    [[ $stderr == *'top.wad: recorded as pwad, not loaded'* ]]
    run -2 --separate-stderr dhsim --iwad wads/yard.wad --file no/such.wad walk
    [[ $stderr == *'no/such.wad: No such file'* ]]
    run -2 dhsim --iwad . walk
    # by way of a pipe, as the shell's <() gives it
    dhsim --iwad <(cat wads/yard.wad) walk | recorded >got
    recorded walk >want
    same got want
}

@test "large WADs: their sums are remembered, and never stale" {
    # a wad of more than a megabyte, with a directory that does not mind
    { cat wads/yard.wad && head -c 1200000 /dev/zero; } >big.wad
    touch -d '2001-01-01' big.wad
    sums() { # the sums that a replay writes are those of the file
        [ "$(dhsim --iwad big.wad --until 0 walk | sed -n 's/^resource .* sha256=0x\([0-9a-f]*\) .*/\1/p')" = "$(sha256sum <big.wad | cut -d' ' -f1)" ]
    }
    sums
    # one that was changed a moment ago is not remembered
    [ ! -s cache/dh/sums ]
    sleep 4.1
    sums
    [ "$(wc -l <cache/dh/sums)" = 1 ]
    sums
    [ "$(wc -l <cache/dh/sums)" = 1 ]
    # that it is read from there is seen by what a forged line does
    sed -i 's/ [0-9a-f]\{8\}/ 00000000/' cache/dh/sums
    run ! sums
    # other content under the same name, size and time
    printf x | dd of=big.wad bs=1 seek=1000000 conv=notrunc 2>/dev/null
    touch -d '2001-01-01' big.wad
    sums
    # nothing but lines counts
    printf 'garbage' >cache/dh/sums
    sums
    rm -r cache && : >cache
    sums
}

@test "no world for the game, a damaged stream, a missing map" {
    sed 's/game=doom/game=heretic/' walk >heretic
    run -2 --separate-stderr dhsim --iwad wads/yard.wad heretic
    [[ $stderr == *'game=heretic: there is no world to replay it in'* ]]
    [ "$output" = '' ]
    run -2 --separate-stderr bash -c "sed 's/^input 20 .*/input 20 0 forwards=1/' walk | dhsim --iwad wads/yard.wad"
    [[ $stderr == *'tick '*line* ]]
    [[ $output != *$'\nend'* ]]
    sed 's/rule.level=1 /rule.level=31 /' walk >nowhere
    run -2 --separate-stderr dhsim --iwad wads/yard.wad nowhere
    [[ $stderr == *MAP31* ]]
    printf 'not a wad' >no.wad
    run -2 --separate-stderr dhsim --iwad no.wad walk
    [[ $stderr == *no.wad* ]]
    run -2 --separate-stderr dhsim --iwad wads/yard.wad --log talk walk
    [[ $stderr == *'no logs'* ]]
}

@test "truncated: what is whole is run, status 1, no end" {
    head -n -1 walk >short
    run -1 --separate-stderr dhsim --iwad wads/yard.wad short
    [[ $stderr == *'truncated'* ]]
    [[ $output != *$'\nend '* ]]
    # every tick up to the last is run, as if the stream had ended there
    printf '%s\n' "$output" | grep ^snapshot >got
    dhsim --iwad wads/yard.wad walk | grep ^snapshot >want
    same got want
    for n in 1 2 3 4 5 6; do
        head -n $n walk >short
        got=0
        dhsim --iwad wads/yard.wad short >out 2>err || got=$?
        [ $got = 1 ]
        lacks ^end out
    done
}

@test "misuse, a full disk, a closed pipe" {
    for args in '--every x' '--every -1' '--until x' '--window 5' '--window 5:5' '--window 6:5' '--window x:5' '--window :0'; do
        # shellcheck disable=SC2086
        run -2 --separate-stderr dhsim --iwad wads/yard.wad $args walk
        [[ $stderr == *'usage: dhsim'* ]] || { echo "$args"; show; false; }
    done
    if [ -e /dev/full ]; then
        run -2 bash -c "dhsim --iwad wads/yard.wad walk >/dev/full"
    fi
    run bash -c "dhsim --iwad wads/yard.wad --window 0: walk | head -n 1; echo \${PIPESTATUS[0]}"
    [ "${lines[1]}" = 141 ]
}
