#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The tests' own WADs and demos, and the tools that make them.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

@test "regenerate makes the committed WAD and demos, byte for byte" {
    TOOLS=$DH_BIN/tools "$DATA/regenerate" .
    for made in *; do
        same "$made" "$DATA/$made"
    done
    [ "$(echo ./*)" = "./coop4.lmp ./walk.lmp ./yard.wad" ]
    [ "$(wc -c <yard.wad)" -lt 65536 ]
}

@test "mkwad: every node tree finds the sectors that were drawn" {
    "$DATA/machines" .
    "$DATA/cells" .
    for map in "$DATA/yard.map" machines.map cells1.map cells2.map; do
        run -0 mkwad -t - "$map"
        [ -n "$output" ]
        run ! grep -v 'points in sectors, 0 wrong; 0 segs off their lines' <<<"$output"
    done
}

# A map of slanted, nested outlines, whose walls the node builder has to cut off the grid.
slanted() {
    echo 'texture AASHITTY 64x64 STARTAN3 128x128'
    echo 'map E1M1'
    awk 'BEGIN {
        for (i = 0; i < 8; i++) for (j = 0; j < 8; j++) {
            printf "sector s%d%d\npoly s%d%d", i, j, i, j
            for (k = 0; k < 4; k++) { # clockwise from the lower left; corners moved by what only depends on them
                a = i + (k > 1); b = j + (k == 1 || k == 2)
                printf " %d,%d", a * 200 + (a * 37 + b * 61) % 97, b * 200 + (a * 53 + b * 29) % 89
            }
            x = i * 200 + 140; y = j * 200 + 140
            printf "\nsector t%d%d\nisland t%d%d s%d%d %d,%d %d,%d %d,%d\n", i, j, i, j, i, j,
                x - i - 3, y - j, x + 5, y + 9, x + j + 4, y - i - 2
        }
    }'
}

@test "mkwad: slanted and nested outlines" {
    slanted >slanted.map
    run -0 mkwad -t - slanted.map
    [[ $output == *' 0 wrong; 0 segs off their lines;'*'128 sectors' ]]
}

@test "mkwad: what is wrong with a map is said with its line" {
    while IFS='|' read -r statement message; do
        printf '%s\n' 'texture AASHITTY 64x64 STARTAN3 128x128' 'map MAP01' 'sector a' 'sector b' 'poly a 0,0 128,128' \
            "$statement" >bad.map
        run -2 --separate-stderr mkwad out.wad bad.map
        [ "$stderr" = "mkwad: bad.map$message" ] || { show && false; }
        [ ! -e out.wad ]
    done <<'END'
floor 3|:6: unknown statement: floor
poly c 0,0 64,64|:6: no such sector so far: c
poly b 0,0 0,64|:6: poly: an outline needs two corners, or three points and an area
poly b 0,0 128,128|: MAP01: two outlines on the same side of 0,0 0,128
poly b 64,-64 96,192|: MAP01: 64,-64 64,192 crosses 0,128 128,128
poly b 0,40000 1,1|:6: '40000' is not a number from -32768 to 32767
line 0,0 64,64 special=1|:6: no line runs from 0,0 to 64,64
line 128,0 128,128 special=1|:6: the right-hand side of this line is solid
side 0,0 0,128 middle=WOOD|: MAP01: texture WOOD has no size: say `texture WOOD WIDTHxHEIGHT`
thing imp 200,64|:6: the thing at 200,64 is in no sector
thing gnome 64,64|:6: 'gnome' is not a number from 0 to 32767
END
}

@test "mkbroken: a WAD for each line of its list" {
    mkdir broken
    mkbroken "$DATA/yard.wad" broken >list
    [ "$(wc -l <list)" -ge 60 ]
    [ "$(cut -d' ' -f1 list | sort)" = "$(cd broken && for f in *.wad; do echo "${f%.wad}"; done | sort)" ]
}

# What the reference engine says of a demo's levels.
chocolate() { # IWAD PWAD DEMO STATS
    printf 'startup_delay 0\n' >extra.cfg
    HOME=$PWD SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy chocolate-doom -iwad "$1" -file "$2" -timedemo "$3" -nodraw \
        -nosound -nogui -noautoload -extraconfig extra.cfg -statdump "$4" >log 2>&1 || true
    grep -q '^timed ' log || { cat log && false; }
}

@test "the walk through the yard does what its script says, in the reference engine" {
    need_cmd chocolate-doom
    need_wad freedoom2
    mkwad -p -m maps.wad "$DATA/yard.map"
    chocolate "$WAD" maps.wad "$DATA/walk.lmp" stats
    grep -q 'MAP01' stats
    grep -q 'Time: 0:56 (par: 0:30)' stats
    grep -q 'Kills: 10 / 13' stats
    grep -q 'Secrets: 1 / 1' stats
}

@test "the walks through whole games reach every level, in the reference engine" {
    need_cmd chocolate-doom
    "$DATA/cells" .
    need_wad freedoom1
    mkwad -p -m cells1.wad cells1.map
    for episode in 1 2 3 4; do
        mkwalk "cells1-$episode.script" "cells1-$episode.lmp"
        chocolate "$WAD" cells1.wad "cells1-$episode.lmp" stats
        [ "$(grep -c "^E${episode}M" stats)" = 8 ] # the eighth level has no statistics: the ninth is the eighth of them
        grep -q "^E${episode}M9" stats
    done
    need_wad freedoom2
    mkwad -p -m cells2.wad cells2.map
    mkwalk cells2.script cells2.lmp
    chocolate "$WAD" cells2.wad cells2.lmp stats
    [ "$(grep -o 'MAP..' stats | sort -u | wc -l)" = 32 ]
}
