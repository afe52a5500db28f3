#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# dhserve: what it records replays bit for bit, whatever its clients, its disk or a kill do. The input queues, limits and
# the clock by themselves are in unit/serve. A session here is either in lockstep, from a script or a plan
# (tests/tools/walkers), or in real time with players on the socket (tests/tools/pawn).

# shellcheck disable=SC2154 # run sets stderr

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export DHPATH=$DATA/pallets XDG_DATA_HOME=$PWD/data TZ=UTC
    unset XDG_RUNTIME_DIR
}

teardown() {
    # A test that failed may have left its server.
    [ -z "${server:-}" ] || kill -9 "$server" 2>/dev/null || true
}

# A session by a plan, recorded from the beginning to $1.
walk() { # FILE TICKS [MORE-PLAN-LINES...]
    sed "s|@OUT@|$1|; s|^ticks .*|ticks $2|" "$DATA/yard.plan" >plan
    shift 2
    printf '%s\n' "$@" >>plan
    walkers plan dhserve --lockstep >log
}

# The long session of four players, made once.
long() {
    local dir=$BATS_FILE_TMPDIR
    [ -e "$dir/long.dh-demo" ] || (cd "$dir" && walk ./long.dh-demo 10000)
    ln -s "$dir/long.dh-demo" .
}

# Waits until the server has said a line like that.
said() { # PATTERN
    for ((i = 0; i < 400; i++)); do
        ! grep -qE "$1" log 2>/dev/null || return 0
        sleep 0.025
    done
    echo "the server never said $1:"
    cat log
    return 1
}

# A server in real time, whose console is descriptor 7.
serve() { # [OPTION...]
    mkfifo console
    dhserve --socket ./socket "$@" <console >log 2>err 3>&- &
    server=$!
    exec 7>console
}
quit() {
    echo quit >&7
    exec 7>&-
    status=0
    wait $server || status=$?
    server=
    [ "$status" = 0 ]
}

# ---- recordings replay -----------------------------------------------------------------------------------------------

@test "four players, 10,000 ticks, doors, plates, props and ramps: every checkpoint is equal" {
    long
    run_pipe -0 --separate-stderr 'dhcat long.dh-demo | dhsim | dhdiff'
    [ "$output" = 'demo: replayed 10000 tick(s) to 10000, checked 101 checkpoint(s): all equal' ]
    [ -z "$stderr" ]
    dhcat long.dh-demo >text
    [ "$(grep -c '^input' text)" = 39910 ]
    # It was a session that is worth it.
    for door in 21 26 28 31; do
        grep -q "^event [0-9]* door.* door=$door state=open$" text
    done
    grep -q '^event [0-9]* plate 2 plate=29 state=pressed' text
    grep '^checkpoint .* Prop@35 ' text | cut -d' ' -f4 | sort -u | wc -l >moved
    [ "$(cat moved)" -gt 2 ]
    grep -qE '^checkpoint [0-9]+ PlayerPawn@[0-9]+ position=[^,]*,2\.[0-9]*,' text # on the ramp's platform, or the lift
    for source in held neutral; do
        grep -q "^input .*source=$source" text
    done
}

@test "the header, the resources and the opening are what a replay needs" {
    walk ./x.dh-demo 30
    dhcat x.dh-demo >text
    grep -qx 'header game=dh map=Yard barcode=io.dh.yard:maps/yard closure=[0-9a-f]\{64\} engine=dhserve.* rate=60 interval=100 start=0 fresh=1 rule.gravity=15 .* rule.grip.wood=0.8' text
    [ "$(grep -c '^resource role=pallet name=io.dh' text)" = 3 ]
    grep '^resource' text | sed 's/.*name=io.dh.\([a-z]*\):\([^ ]*\) .*sha256=0x\([0-9a-f]*\) .*/\3  \1\/\2/' |
        (cd "$DHPATH" && sha256sum -c --quiet)
    grep -E '^(join|leave|checkpoint [0-9]+ -|end)' text | cut -d' ' -f1-3 >got
    printf '%s\n' 'join 0 0' 'join 0 1' 'checkpoint 0 -' 'checkpoint 30 -' 'end 30 reason=stop' >want
    sed -i 's/reason=stop/reason=shutdown/' want
    same got want
}

@test "the same session gives the same file" {
    walk ./a.dh-demo 200
    walk ./b.dh-demo 200
    same a.dh-demo b.dh-demo
}

@test "the recording in tests/data is what its plan gives, and replays" {
    run_pipe -0 "dhcat '$DATA/yard.dh-demo' | dhsim | dhdiff"
    "$DATA/record" .
    same yard.dh-demo "$DATA/yard.dh-demo"
}

# A tick at which a door is neither open nor shut and still moves.
mid_swing() { # RECORDING
    dhsim --every 1 "$1" | awk '$1 == "snapshot" && $3 ~ /^Door/ && $5 == "state=opening" && $4 !~ /=[01]$/ && $2 > 300 { print $2 + 5; exit }'
}

@test "begun in the middle of a session, while a door swings: equal; --fresh says which door" {
    walk ./whole.dh-demo 700
    at=$(mid_swing whole.dh-demo)
    walk ./first.dh-demo 700 "at $at demo stop" "at $at demo record ./second.dh-demo"
    dhcat second.dh-demo >text
    grep -q "^header .* start=$at rule" text # fresh=0 is left out
    dhcat first.dh-demo | tail -n 1 | grep -qx "end $at reason=stop"
    [ "$(grep -c "^join $at " text)" = 4 ]
    run -0 bash -o pipefail -c 'dhsim second.dh-demo | dhdiff'
    [[ $output = *"checked $((700 / 100 - at / 100)) checkpoint(s): all equal" ]]
    run -3 bash -o pipefail -c 'dhsim --fresh second.dh-demo | dhdiff --all'
    echo "$output" | grep -q "^DIVERGED tick $at Door@[0-9]* phase: recorded 0\.[0-9]*, replayed 0 "
    # The second half of the first recording's session is that of the whole one.
    dhcat whole.dh-demo | awk -v at="$at" '$1 == "input" && $2 >= at' >want
    grep '^input' text >got
    same got want
}

@test "one input's bit flipped: diverges" {
    walk ./x.dh-demo 300
    dhcat x.dh-demo | sed '/^input 120 1 /s/move=0,1,0/move=0,0.5,0/' >bent # of 1 the lowest bit of the exponent
    run -3 bash -o pipefail -c 'dhsim bent | dhdiff'
    [[ $output = "DIVERGED tick 200 PlayerPawn@2 "* ]]
}

@test "slices of a recording replay, from each of its checkpoints" {
    long
    for from in 2500 5000 9900; do
        run -0 bash -o pipefail -c "dhsplit --from $from long.dh-demo | dhsim | dhdiff"
    done
}

# ---- who plays -------------------------------------------------------------------------------------------------------

@test "players on the socket in real time, one starving and flooding in turns: equal" {
    serve
    echo 'demo record ./x.dh-demo' >&7
    echo 'map yard' >&7
    pawn ./socket Ada 40 steady starve flood steady flood starve steady >ada 3>&- 7>&- &
    ada=$!
    pawn ./socket Bob 100 steady say deaf >bob 3>&- 7>&-
    wait $ada
    said '^leave [0-9]* [01] name=Ada'
    said '^leave [0-9]* [01] name=Bob'
    quit
    run_pipe -0 'dhcat x.dh-demo | dhsim | dhdiff'
    [[ $output = *'all equal' ]]
    # Every pawn has exactly one input a tick from its join to its leave.
    dhcat x.dh-demo >text
    awk '$1 == "join" { from[$3] = $2 } $1 == "leave" { want += $2 - from[$3] } $1 == "input" { n++ }
        END { exit !(n == want && n > 400) }' text
    for source in held neutral; do
        grep -q "^input .*source=$source" text
    done
    # What was too much was counted.
    grep '^leave .*name=Ada' log | grep -q 'held=[1-9].* neutral=[1-9].* late=[1-9].* duplicate=[1-9].* limited=[1-9]'
    grep '^leave .*name=Bob' log | grep -q 'received=[1-9].* limited=0$'
    grep -q '^say .* name=Bob text=hello' ada
    grep -q '^welcome [0-9]* [01] wire=[12] name=Bob map=Yard rate=60$' bob
}

@test "the ticks come sixty times a second, whatever clients do" {
    serve
    echo 'map yard' >&7
    said '^map'
    for name in a b c d; do
        pawn ./socket $name 1000 flood >/dev/null 3>&- 7>&- &
        floods+=($!)
    done
    pawn ./socket e 1000 deaf >/dev/null 3>&- 7>&- &
    floods+=($!)
    for i in 1 2 3; do # as fast as they can
        { echo join name=fast; exec yes 'input 5 move=0,1,0'; } 2>/dev/null | pawn ./socket - >/dev/null 3>&- 7>&- &
        floods+=($!)
    done
    sleep 0.5
    echo status >&7
    sleep 3
    echo status >&7
    kill "${floods[@]}" # dead clients are clients that leave
    wait "${floods[@]}" || true
    said '^leave .*name=e '
    quit
    ticks=$(sed -n 's/^status \([0-9]*\) .*/\1/p' log | paste -sd' ' | awk '{ print $2 - $1 }')
    echo "$ticks ticks in 3 seconds"
    [ "$ticks" -ge 150 ] && [ "$ticks" -le 200 ]
}

@test "who does not take what it is sent is dropped" {
    mkfifo console
    dhserve --lockstep --socket ./socket <console >log 3>&- &
    server=$!
    exec 7>console
    echo 'map yard' >&7
    said '^map'
    { echo 'join name=Ada' && sleep 2; } | pawn ./socket - >/dev/null 3>&- 7>&- & # reads when it has said all
    sleep 0.3
    echo 'tick' >&7
    said '^join 0 0'
    yes "say $(printf '%0400d' 0)" | head -n 2000 >&7
    echo tick >&7
    said '^leave 1 0 name=Ada reason=too.040slow'
    quit
}

@test "in lockstep: what a client has sent before the console's tick is in time for it" {
    mkfifo console
    dhserve --lockstep --socket ./socket <console >log 3>&- &
    server=$!
    exec 7>console
    echo 'map yard' >&7
    said '^map'
    {
        echo 'join name=Ada'
        sleep 0.3
        echo 'input 1 move=0,1,0'
        echo 'input 2 move=0,1,0'
        sleep 0.3
    } | pawn ./socket - >ada 3>&- 7>&- &
    sleep 0.15
    echo 'tick' >&7
    sleep 0.3
    printf 'tick 3\nstatus\n' >&7
    said '^player'
    quit
    grep -q '^player 0 wire=1 received=2 held=1 neutral=1 ' log
}

@test "a client is told what is wrong, and may not do what the console does" {
    cat >script <<'END'
map yard
client a input move=0,1,0
client a say text=hello
client a join
client a join name=
client a join name=a\012b
client a join name=\300\200
client a join name=\355\240\200
client a join name=a\302
client a join name=\302\205
client a join name=Ada every=-1
client a join name=Ada position=1,2,3
client a join name=\303\204da
client a join name=Ada
client a input move=0,1,0
tick
client a input move=0,1
client a input move=0,1,0 fly=1
client a input 99999999999 move=0,1,0
client a input 3 3 move=0,1,0
client a map yard
client a demo record x
client a quit
client a kick 0
client a set server.demo.checkpointTicks 1
client a tick
client a dance
client a say
client a say text=hello
client a leave now=1
client a leave
tick
quit
END
    dhserve --lockstep script >log
    grep '^client a' log | sed 's/ text=/ /' | cut -d' ' -f3 | uniq -c | awk '{ print $1, $2 }' >got
    printf '%s\n' '13 error' '1 welcome' '12 error' '1 say' '1 error' '1 bye' >want
    same got want
    [ "$(grep -c 'console.040alone' log)" = 6 ]
    [ ! -e "$XDG_DATA_HOME" ]
}

@test "a line that never ends, and silence, do not keep a connection" {
    serve
    echo 'map yard' >&7
    said '^map'
    head -c 5000 /dev/zero | tr '\0' x | pawn ./socket - >out
    grep -q '^bye reason=a.040line' out
    printf 'join name=Ada' | pawn ./socket - >out # cut short: no join
    grep -qx 'bye reason=closed' out
    (exec 9<>console && sleep 0.2) # nothing that the console's end would mean
    quit
    [ "$(grep -c '^join' log)" = 0 ]
}

@test "the server fills up, names and slots are kicked, slots are used again" {
    {
        echo 'map yard'
        for ((i = 0; i < 66; i++)); do echo "client c$i join name=n$((i / 2))"; done
        printf '%s\n' 'tick 2' 'kick 7' 'client c64 join name=late' tick status
    } >script
    { cat script; echo 'kick n0'; } >twice
    echo quit >>script
    dhserve --lockstep script >log
    [ "$(grep -c '^client .* welcome' log)" = 65 ]
    [ "$(grep -c '^client .* bye .*full' log)" = 2 ]
    grep -qx 'client c7 bye reason=kicked' log
    grep -q '^player 7 wire=65 .* name=late' log
    run -2 --separate-stderr dhserve --lockstep twice # both are called that
    [[ $stderr = *'twice: no one player has'*'line 73' ]]
}

# ---- the console -----------------------------------------------------------------------------------------------------

@test "demo record: names, paths, the user's folder, never over a file" {
    echo precious >mine.dh-demo
    cat >script <<'END'
map yard
demo record jumps
demo status
demo stop
demo record
demo stop
demo record
demo stop
demo record other.dh-demo
demo stop
demo record ./here
demo stop
demo record ./mine.dh-demo
END
    run -2 --separate-stderr dhserve --lockstep script
    [[ $stderr = *'./mine.dh-demo: is there already, and is left as it is: line 13' ]]
    [ "$(cat mine.dh-demo)" = precious ]
    [ -s here ]
    [ -s data/dh/demos/jumps.dh-demo ] && [ -s data/dh/demos/other.dh-demo ]
    ls data/dh/demos >names
    [ "$(grep -cE '^Yard-20[0-9]{6}-[0-9]{6}(-2)?\.dh-demo$' names)" = 2 ]
    [ "$(stat -c %a data/dh/demos)" = 700 ]
    unset XDG_DATA_HOME
    printf '%s\n' 'map yard' 'demo record' 'quit' | HOME=$PWD/home dhserve --lockstep >log
    ls home/.local/share/dh/demos/Yard-*.dh-demo
    printf '%s\n' 'map yard' 'demo record' 'quit' >script
    HOME='' run -2 --separate-stderr dhserve --lockstep script
    [[ $stderr = *'give a path'* ]]
}

@test "demo status: where, how much, and when the next checkpoint lands" {
    printf '%s\n' 'demo status' 'map yard' 'set server.demo.checkpointTicks 50' 'tick 10' 'demo record ./x' 'demo status' \
        'set server.demo.checkpointTicks 7' 'tick 40' 'demo status' 'tick 1' 'demo status' 'demo stop' 'demo status' \
        'demo record ./y' 'tick 7' 'demo status' quit >script
    dhserve --lockstep script | grep '^demo' | sed 's/ bytes=[0-9]*//' >got
    cat >want <<'END'
demo none
demo started 10 ticks=0 checkpoints=0 path=./x
demo recording 10 start=10 ticks=0 checkpoints=0 next=10 interval=50 path=./x
demo recording 50 start=10 ticks=40 checkpoints=1 next=50 interval=50 path=./x
demo recording 51 start=10 ticks=41 checkpoints=2 next=100 interval=50 path=./x
demo stopped 51 ticks=41 checkpoints=3 path=./x
demo none
demo started 51 ticks=0 checkpoints=0 path=./y
demo recording 58 start=51 ticks=7 checkpoints=2 next=63 interval=7 path=./y
demo stopped 58 ticks=7 checkpoints=3 path=./y
END
    same got want
    for x in x y; do
        run -0 bash -o pipefail -c "dhsim $x | dhdiff"
    done
    dhcat x | grep -q '^checkpoint 50 -'
    dhcat y | tail -n 1 | grep -qx 'end 58 reason=shutdown'
}

@test "a recording ends with the map; players go on to the next, and one begun there is fresh" {
    walk ./a.dh-demo 300 'at 150 map yard' 'at 150 demo record ./b.dh-demo' 'at 250 map io.dh.yard:maps/yard' \
        'at 250 demo status'
    dhcat a.dh-demo | tail -n 1 | grep -qx 'end 150 reason=map-switch'
    dhcat b.dh-demo | tail -n 1 | grep -qx 'end 250 reason=map-switch'
    dhcat b.dh-demo | grep -q '^header .* start=150 fresh=1'
    [ "$(dhcat b.dh-demo | grep -c '^join 150 ')" = 4 ]
    grep -qx 'demo none' log
    for x in a b; do
        run -0 bash -o pipefail -c "dhsim $x.dh-demo | dhdiff"
        [[ $output = *"all equal" ]]
    done
    # A map that is not there changes nothing.
    printf '%s\n' 'map yard' 'demo record ./c' 'tick 5' 'map nowhere' >script
    run -2 --separate-stderr dhserve --lockstep script
    [[ $stderr = *nowhere*'line 4' ]]
    dhcat c | tail -n 1 | grep -qx 'end 5 reason=shutdown'
}

@test "SIGTERM and SIGINT shut down in order, also in the middle of a long tick" {
    for signal in TERM INT; do
        rm -f console
        serve
        printf 'demo record ./%s\nmap yard\n' $signal >&7
        said '^demo started'
        sleep 0.3
        kill -$signal $server
        status=0
        wait $server || status=$?
        exec 7>&-
        [ $status = 0 ]
        [ ! -e socket ]
        dhcat ./$signal | tail -n 1 | grep -q '^end [1-9][0-9]* reason=shutdown'
        run -0 bash -o pipefail -c "dhsim ./$signal | dhdiff"
    done
    printf '%s\n' 'map yard' 'demo record ./long' 'tick 4000000000' | timeout -s TERM 0.5 dhserve --lockstep >log || true
    dhcat ./long | tail -n 1 | grep -q '^end [1-9][0-9]* reason=shutdown'
}

@test "the console's end: of a script it is too early, of a server with a map it means no more than that" {
    printf 'map yard\n' >script
    run -1 --separate-stderr dhserve --lockstep script
    [ "$stderr" = "dhserve: script: the console's input ended without quit" ]
    printf 'map yard\nqui' >script
    run -1 --separate-stderr dhserve --lockstep script
    [[ $stderr = *'the last line was cut short: line 2' ]]
    run -1 --separate-stderr dhserve --socket ./socket /dev/null
    [[ $stderr = *'there is no map to serve' ]]
    printf 'map yard\ndemo record ./x\n' >script
    dhserve --socket ./socket script >log 3>&- &
    server=$!
    said '^demo started'
    pawn ./socket Ada 10 steady
    kill $server
    wait $server
    server=
    run -0 bash -o pipefail -c "dhsim ./x | dhdiff"
    grep -q '^join' <(dhcat ./x)
}

@test "errors of the console: said with their line; a script ends with 2, a server goes on" {
    for line in dance 'demo' 'demo rec' 'demo stop' 'demo stop now' 'say' 'kick 0' 'kick Ada' 'status 1' 'set x' \
        'set server.demo.checkpointTicks 0' 'set server.demo.checkpointTicks -1' 'set server.demo.checkpointTicks 1x' \
        'tick -1' 'tick x' 'client' 'client a' 'quit now' 'map' "map $(printf '%0300d' 0)"; do
        printf '# comment\n\nmap yard\n%s\ntick\nquit\n' "$line" >script
        run -2 --separate-stderr dhserve --lockstep script
        [[ $stderr = 'dhserve: script: '*': line 4' ]] || { echo "$line" && show && return 1; }
    done
    serve
    for line in 'tick' 'client a join' 'dance' 'demo stop'; do
        echo "$line" >&7
    done
    printf 'map yard\nstatus\n' >&7
    said '^status'
    quit
    [ "$(grep -c '^dhserve: standard input: ' err)" = 4 ]
    grep -qx 'dhserve: standard input: tick: only with --lockstep: line 1' err
}

@test "the socket: its mode, one that was left behind, one that is in use, and none" {
    serve --mode 660
    echo 'map yard' >&7
    said '^map'
    [ "$(stat -c %a socket)" = 660 ]
    run -2 --separate-stderr dhserve --socket ./socket <<<'map yard'
    [ "$stderr" = 'dhserve: standard input: ./socket: Address already in use: line 1' ] ||
        [[ $stderr = *'./socket: Address in use: line 1' ]]
    kill -9 $server
    wait $server || true
    exec 7>&-
    [ -S socket ]
    rm console
    serve
    echo 'map yard' >&7
    said '^map'
    [ "$(stat -c %a socket)" = 600 ]
    quit
    [ ! -e socket ]
    echo file >socket # somebody's
    run -2 --separate-stderr dhserve --socket ./socket <<<'map yard'
    [ "$(cat socket)" = file ]
    run -2 --separate-stderr dhserve <<<'map yard'
    [[ $stderr = *XDG_RUNTIME_DIR* ]]
    run -2 --separate-stderr dhserve --socket "$(printf '%0200d' 0)" <<<'map yard'
    [[ $stderr = *'has to be shorter'* ]]
    mkdir run
    export XDG_RUNTIME_DIR=$PWD/run
    printf 'map yard\nquit\n' | dhserve >log
}

@test "rules: from the command line into the header and the world; the slope limit in degrees" {
    printf '%s\n' 'map yard' 'demo record ./x' rules 'client a join name=Ada' tick 'client a input buttons=jump' 'tick 30' \
        quit >script
    dhserve --lockstep --rule gravity=1 --rule slopeCos=0.5 script >log
    grep -qx 'rule gravity=1' log
    grep -qE '^rule slopeCos=0.5 (degrees|nearest)=60$' log
    dhcat x | grep -q '^header .* rule.gravity=1 .* rule.slopeCos=0.5 '
    run -0 bash -o pipefail -c 'dhsim x | dhdiff'
    for rule in gravity=x gravity weight=3 gravity=-1; do
        run -2 --separate-stderr dhserve --lockstep --rule $rule script
        [[ $stderr = *'line 1' ]]
    done
}

@test "noclip is the server's to allow" {
    printf '%s\n' 'map yard' 'client a join name=Ada' tick 'client a input move=0,0,1 buttons=noclip' tick \
        'set server.input.noclip 1' 'client a input' tick 'client a input move=0,0,1 buttons=noclip' 'tick 5' quit >script
    sed 's/^tick$/tick\nstatus/; s/^tick 5/tick 5\nstatus/' script >with-status
    dhserve --lockstep with-status | sed -n 's/^player.* position=[^,]*,\([^,]*\),.*/\1/p' >heights
    [ "$(sed -n 3p heights)" = 0 ]
    awk 'END { exit !($1 > 0.1) }' heights
}

# ---- the file, whatever happens --------------------------------------------------------------------------------------

@test "cut at any byte a recording reads to its last whole record, with status 1" {
    printf '%s\n' 'map yard' 'client a join name=Ada' 'demo record ./x' 'tick 8' quit | dhserve --lockstep >log
    [ "$(cuts x)" = "$(stat -c %s x)" ]
    dhcat x >whole
    for at in $(seq 0 61 "$(($(stat -c %s x) - 1))"); do # the tool says the same
        head -c "$at" x >cut
        run -1 --separate-stderr dhcat cut
        [[ $stderr = 'dhcat: cut: truncated: '* ]]
        printf '%s\n' "$output" | cmp -s -n "$(echo -n "$output" | wc -c)" - whole
    done
}

@test "kill -9 at random moments: nothing is lost that was played" {
    "$ROOT/tests/crash" kill "${DH_CRASHES:-12}" "${DH_CRASH_SEED:-$$}"
}

@test "disk full, at any amount of room: a readable file, and the server goes on" {
    run "$ROOT/tests/crash" full "${DH_CRASHES:-10}" "${DH_CRASH_SEED:-$$}"
    [ "$status" != 77 ] || skip "no small disk can be mounted here"
    show
    [ "$status" = 0 ]
}

@test "a file that may not grow is a full disk, too; another recording can begin" {
    {
        printf '%s\n' 'map yard' 'client a join name=Ada' 'demo record ./x' 'tick 500' 'demo status' 'demo record ./y' \
            'tick 20' quit
    } >script
    (
        ulimit -f 16
        dhserve --lockstep script >log 2>err
    )
    grep -q '^demo lost ' log
    grep -q '^dhserve: ./x: write failed: .*the recording ends here' err
    grep -qx 'demo none' log
    run -1 --separate-stderr dhcat x
    [[ $stderr = *'ends without an end record'* ]]
    run bash -c 'dhsim x 2>/dev/null | dhdiff 2>/dev/null'
    [ "$status" = 1 ]
    [[ $output = *'checked 2 checkpoint(s): all equal; incomplete' ]]
    run -0 bash -o pipefail -c 'dhsim y | dhdiff'
}

@test "nobody reads the console: a server with a clock goes on, a script's stops" {
    mkfifo console
    { dhserve --socket ./socket <console 2>err 3>&-; echo $? >status; } | true &
    exec 7>console
    printf 'demo record ./x\nmap yard\n' >&7
    for ((i = 0; i < 50; i++)); do
        echo status >&7
        sleep 0.01
    done
    pawn ./socket Ada 20 steady
    echo quit >&7
    exec 7>&-
    wait
    [ "$(cat status)" = 0 ]
    run -0 bash -o pipefail -c 'dhsim x | dhdiff'
    # A reader who does not read holds up no tick.
    mkfifo held
    { head -c 10 >/dev/null && sleep 5; } <held 3>&- &
    sleeper=$!
    { printf 'map yard\n'; yes status | head -n 20000; sleep 1; printf 'demo record ./y\n'; sleep 0.5; echo quit; } |
        timeout 20 dhserve --socket ./socket >held
    kill $sleeper 2>/dev/null || true
    [ "$(dhcat y | sed -n 's/^header .* start=\([0-9]*\) .*/\1/p')" -gt 30 ]
}
