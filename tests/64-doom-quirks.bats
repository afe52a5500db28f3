#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What the executables do their own way, each in a level or demo of its own (tests/data/quirks), against what
# chocolate-doom put into its savegames there (tests/golden/quirks, made by tests/data/quirks/reference).

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# The rows whose name matches.
rows() { # REGEX
    grep -v '^#' "$DATA/quirks/rows" | cut -d ' ' -f 1 | grep -E "$1"
}

against_golden() { # REGEX
    local name bad=0 ran=0
    for name in $(rows "$1"); do
        "$ROOT/tests/oracle/quirk" ours "$name" . >"$name.lines" </dev/null || { echo "$name: the replay failed"; bad=1; continue; }
        "$ROOT/tests/oracle/brief" "$name.lines" >"$name.brief"
        same "$name.brief" "$GOLDEN/quirks/$name" || { echo "$name differs"; bad=1; }
        ran=$((ran + 1))
    done
    [ $bad = 0 ] && [ $ran -gt 0 ]
}

@test "every row has a golden, and every golden a row" {
    same <(rows . | sort) <(find "$GOLDEN/quirks" -type f -printf "%f\n" | sort)
}

@test "the executables from 1.2 to Final Doom, in one arena" { against_golden '^arena-'; }

@test "what changed after 1.2, and with Ultimate Doom, one by one" { against_golden '^(turbo|bonus|gibs|revenge|cross|reach|skull|far|grudge)-'; }

@test "the deaths of bosses, by map and executable" { against_golden '^boss-'; }

@test "teleporters, by Final Doom's two executables" { against_golden '^tele-'; }

@test "more lines than the executable has room for: spechits" { against_golden '^spechit-'; }

@test "more intercepts than it has room for, and what that overwrites" { against_golden '^intercepts-'; }

@test "the limits of lifts, crushers, buttons, scrolling walls and neighbours" { against_golden '^(plats|ceilings|buttons|scroll|heights)-'; }

@test "a reject table that is too short, a donut without an outside, walls without a back" {
    against_golden '^(reject-|donut-|noback$)'
}

@test "dolls, and a player whose doll died" { against_golden '^(voodoo|zombie)$'; }

@test "coop, deathmatch, altdeath, nightmare, pauses, a start that is missing" {
    against_golden '^(coop|deathmatch|altdeath|nightmare|pause|coop-no-start)$'
}

@test "DEHACKED: what reaches the playsim, with the reference's limits and what it lets pass" { against_golden '^deh-'; }

# Newer than the packaged engine, and so without a golden: as the reference's sources have it since.
@test "1.2 has no flickering light of special 17, and stands 66 scrolling walls" {
    printf '%s\n' 'texture AASHITTY 64x64 STARTAN3 128x128' 'map E1M1' 'sector room special=17 wall=STARTAN3' 'poly room 0,0 256,256' \
        'thing player1 128,128' 'sector other special=17' 'poly other 256,0 320,256' >light.map
    mkwad light.wad light.map
    mkwalk -v 0 "$DATA/quirks/still.script" old.lmp
    mkwalk -v 106 "$DATA/quirks/still.script" new.lmp
    run_pipe 'lmp2dh new.lmp | dhsim --iwad light.wad --until 5 | grep -c "^snapshot 5 Flicker@"'
    [ "$output" = 2 ]
    # the player stands on it, and the executable knows no such floor
    run_pipe 'lmp2dh old.lmp | dhsim --iwad light.wad --until 5'
    [ "$status" = 2 ]
    [[ $output == *"unknown special 17"* ]]
    for walls in 64 65 66 67; do
        { "$DATA/quirks/scroll" "$walls" | sed 's/MAP01/E1M1/'; } >"scroll$walls.map"
        mkwad "scroll$walls.wad" "scroll$walls.map"
        status=0
        lmp2dh old.lmp | dhsim --iwad "scroll$walls.wad" --until 5 >out 2>err || status=2
        [ $status = $((walls > 66 ? 2 : 0)) ] || { echo "1.2, $walls walls: $status" && cat err && false; }
        status=0
        lmp2dh new.lmp | dhsim --iwad "scroll$walls.wad" --until 5 >out 2>err || status=2
        [ $status = $((walls > 64 ? 2 : 0)) ] || { echo "1.666, $walls walls: $status" && cat err && false; }
    done
}

@test "--game-version takes the names there are, and no other" {
    mkwad arena.wad "$DATA/quirks/arena.map"
    mkwalk "$DATA/quirks/still.script" still.lmp
    lmp2dh -b still.lmp >still.dh
    for name in 1.0 1.1 1.2 1.5 1.666 1.7 1.8 1.9 hacx ultimate final final2 chex; do
        [ $name != hacx ] || continue # wants the patch in its IWAD
        dhsim --iwad arena.wad --game-version $name --digest still.dh >out
        grep -q '^end ' out
    done
    run --separate-stderr -2 dhsim --iwad arena.wad --game-version 1.10 still.dh
    [[ $stderr == *"game version '1.10': expected 1.0, 1.1, 1.2, 1.5"* ]]
}

# Where the executable hangs, or runs out of stack, in frames that a patch has tied in a knot.
@test "DEHACKED: frames that lead in a circle, and what a tic cannot live with, are errors" {
    mkwad arena.wad "$DATA/quirks/arena.map"
    mkwalk "$DATA/quirks/arena.script" arena.lmp
    lmp2dh -b arena.lmp >arena.dh
    knot() { # TEXT LINE...
        local text=$1
        shift
        printf '%s\n' 'Patch File for DeHackEd v3.0' '' "$@" '' >knot.deh
        run --separate-stderr -2 timeout 20 dhsim --iwad arena.wad --deh knot.deh --digest arena.dh
        [[ $stderr == *"$text"* ]] || { echo "expected '$text'" && echo "$stderr" && false; }
        run ! grep '^end ' <<<"$output"
    }
    knot 'frames of a weapon lead in a circle without any duration, from frame 18' 'Frame 18' 'Duration = 0' 'Next frame = 18'
    knot 'states lead in a circle without any duration, from frame 807' 'Frame 806' 'Duration = 1' '' 'Frame 807' 'Duration = 0' \
        'Next frame = 807'
    knot 'leads back to itself by what it does' 'Pointer 1 (Frame 176)' 'Codep frame = 174'
    knot 'a Zombieman came to a frame that there is not' 'Thing 2' 'First moving frame = 967'
    knot 'a weapon came to frame 967' 'Weapon 1' 'Shooting frame = 5000'
    knot 'ammunition 99 in a weapon' 'Weapon 1' 'Ammo type = 99'
    knot 'a thing without mass was hit' 'Thing 2' 'Mass = 0' '' 'Thing 12' 'Mass = 0' '' 'Thing 31' 'Mass = 0' '' 'Thing 1' 'Mass = 0'
    knot 'a missile without speed was launched' 'Thing 32' 'Speed = 0' '' 'Thing 34' 'Speed = 0' '' 'Thing 33' 'Speed = 0'
}

@test "a patch is a resource: recorded, looked for, missed" {
    mkwad arena.wad "$DATA/quirks/arena.map"
    mkwalk "$DATA/quirks/still.script" still.lmp
    cp "$DATA/quirks/misc.deh" "$DATA/quirks/odd.deh" .
    lmp2dh still.lmp | dhsim --iwad arena.wad --deh misc.deh --deh odd.deh >run.dh-text
    sed -n 's/^resource role=\([^ ]*\) name=\([^ ]*\) .*/\1 \2/p' run.dh-text >resources
    same resources <(printf '%s\n' 'iwad arena.wad' 'deh misc.deh' 'deh odd.deh')
    grep -q '^snapshot 0 Player@0 .*health=150' run.dh-text
    dhsim run.dh-text >again
    same again run.dh-text
    run --separate-stderr -0 dhsim --deh none run.dh-text
    [[ $stderr == *"misc.deh: recorded as deh, not loaded"* ]]
    [[ $output == *"snapshot 0 Player@0 "*"health=100"* ]]
    echo '# another' >>misc.deh
    run --separate-stderr -0 dhsim run.dh-text
    [[ $stderr == *"misc.deh: "*" bytes, recorded "* ]]
    rm misc.deh
    run --separate-stderr -2 dhsim run.dh-text
    [[ $stderr == *"misc.deh: not found"* ]]
    # the lump of a PWAD, when it is asked for
    { cat "$DATA/quirks/arena.map" && echo 'lump DEHACKED' && sed 's/^/|/' "$DATA/quirks/misc.deh"; } >patched.map
    mkwad -p patched.wad patched.map
    lmp2dh -b still.lmp >still.dh
    dhsim --iwad arena.wad --file patched.wad still.dh | grep -q '^snapshot 0 Player@0 .*health=100'
    dhsim --iwad arena.wad --file patched.wad --dehlump still.dh | grep -q '^snapshot 0 Player@0 .*health=150'
}

@test "the goldens are what the engine says: one row made anew" {
    need_cmd chocolate-doom cc
    need_wad freedoom1
    "$ROOT/tests/oracle/quirk" reference arena-1.2 . >lines
    "$ROOT/tests/oracle/brief" lines >brief
    same brief "$GOLDEN/quirks/arena-1.2"
}
