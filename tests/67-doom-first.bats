#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Doom 1.0 and 1.1, which no packaged engine plays: each thing that they do otherwise in a level of its own, beside an
# executable that does it the later way. What is expected comes from the formulas that lib/doom names the sources of,
# worked out here; nothing is compared with what a replay gave once. Their tables are in tests/unit/doom.c.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cat >textures <<'EOF'
texture AASHITTY 64x64 STARTAN3 128x128 SW1BRCOM 128x128
EOF
}

# A level from standard input and what a player does there, as long as there is a bar in front of a line, to level.wad
# and demo.lmp.
play() { # [VERSION]
    cat >all.new
    mv all.new all
    { cat textures && grep -v '^|' all; } >level.map
    { grep '^map E' level.map | tail -n 1 | sed 's/^map E\(.\)M\(.\)/demo episode=\1 map=\2/' && grep '^|' all | cut -c 2-; } >demo.script
    mkwad level.wad level.map
    mkwalk -v "${1:-0}" demo.script demo.lmp
    if [ $# = 0 ]; then # the header of 1.2 and before
        lmp2dh -b --dialect doom12 demo.lmp >demo.dh
    else
        lmp2dh -b demo.lmp >demo.dh
    fi
}

# The state before each tic from FROM to TO by that executable, to the file of its name.
by() { # VERSION FROM TO [OPTION...]
    # shellcheck disable=SC2094 # a file of the executable's name is not its name
    dhsim --iwad level.wad --game-version "$1" --window "$2:$(($3 + 1))" --every 0 "${@:4}" demo.dh >"$1"
}

# A field of an entity in such a file.
field() { # VERSION TICK ENTITY KEY
    sed -n "s/^snapshot $2 $3 .*\\b$4=\\([^ ]*\\).*/\\1/p" "$1"
}

count() { # VERSION TICK ENTITY
    grep -c "^snapshot $2 $3@" "$1"
}

# Fixed-point numbers by their 1/65536, and back.
fixed() {
    awk -v v="$1" 'BEGIN { s = sprintf("%.16f", v / 65536); sub(/\.?0+$/, "", s); print s == "-0" ? "0" : s }'
}
raw() {
    awk -v v="$1" 'BEGIN { printf "%d", v * 65536 }'
}
times() {
    echo $(($1 * $2 >> 16))
}

# The sine, in 1/65536: of angle A of 256, from the coarse table; of the fine one, a half-step on.
coarse() {
    awk -v a="$((($1 + 256) % 256))" 'BEGIN { printf "%d", 65536 * sin(a * 3.141592657 * 2 / 256) }'
}
fine() {
    fine_at $((($1 + 256) % 256 * 32))
}
fine_at() { # entry of the table
    awk -v i="$1" 'BEGIN { printf "%d", 65536 * sin((i + 0.5) * 3.141592653589793 * 2 / 8192) }'
}

@test "moves: a unit is 900, by a table of 256 angles in 1.0 and of 8192 in 1.1" {
    local degrees a
    for degrees in 0 45 90 135 225 315; do
        play <<EOF
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
thing player1 256,256 angle=$degrees
|player 1 angle=$degrees
|1 forward=113 side=-54
EOF
        for version in 1.0 1.1 1.2; do by $version 1 1; done
        a=$((degrees * 256 / 360))
        [ "$(field 1.0 1 Marine@1 x)" = "$(fixed $(((256 << 16) + $(times $((113 * 900)) "$(coarse $((a + 64)))") +
            $(times $((-54 * 900)) "$(coarse $((a - 64 + 64)))"))))" ]
        [ "$(field 1.0 1 Marine@1 y)" = "$(fixed $(((256 << 16) + $(times $((113 * 900)) "$(coarse $a)") +
            $(times $((-54 * 900)) "$(coarse $((a - 64)))"))))" ]
        [ "$(field 1.1 1 Marine@1 x)" = "$(fixed $(((256 << 16) + $(times $((113 * 900)) "$(fine $((a + 64)))") +
            $(times $((-54 * 900)) "$(fine $((a - 64 + 64)))"))))" ]
        [ "$(field 1.1 1 Marine@1 y)" = "$(fixed $(((256 << 16) + $(times $((113 * 900)) "$(fine $a)") +
            $(times $((-54 * 900)) "$(fine $((a - 64)))"))))" ]
        [ "$(field 1.2 1 Marine@1 y)" = "$(fixed $(((256 << 16) + $(times $((113 * 2048)) "$(fine $a)") +
            $(times $((-54 * 2048)) "$(fine $((a - 64)))"))))" ]
    done
}

@test "a chainsaw that bites pulls with 0xc800, from 1.2 on with 100 units of 2048" {
    # he hangs low, and does not fight back
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=80
poly hall 0,0 512,512
thing player1 256,256 angle=90
thing chainsaw 256,256
thing keen 256,309
|player 1 angle=90
|1 side=1
|60
|10 fire
EOF
    local version angle
    for version in 1.0 1.1 1.2; do
        by $version 60 71
        # the tic after the first bite: its step is the whole momentum, and the way is along the angle
        awk '$3 == "Marine@1" { for (i = 4; i <= NF; i++) { split($i, kv, "="); v[kv[1]] = kv[2] }
            if (bit) { print v["angle"], (v["y"] - y) * 65536; exit }
            bit = substr(v["flags"], 9, 1) ~ /[89a-f]/; y = v["y"] }' $version >$version.pull
    done
    read -r angle _ <1.0.pull
    same 1.0.pull <(echo "$angle" "$(times $((0xc800)) "$(coarse $((angle >> 24)))")")
    read -r angle _ <1.1.pull
    same 1.1.pull <(echo "$angle" "$(times $((0xc800)) "$(fine_at $((angle >> 19)))")")
    read -r angle _ <1.2.pull
    same 1.2.pull <(echo "$angle" "$(times $((100 * 2048)) "$(fine_at $((angle >> 19)))")")
}

@test "the reach of a hand: in 1.0 exactly 64 units to the north" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
line 0,512 512,512 special=103 tag=1 middle=SW1BRCOM
sector closet floor=0 ceil=0 tag=1
poly closet 600,0 700,100
thing player1 256,448 angle=90
|player 1 angle=90
|1
|3 use
EOF
    for version in 1.0 1.1; do by $version 4 4; done
    # 64 * 65536 reaches the wall, 64 * 65535 falls short of it
    [ "$(coarse 64) $(fine 64)" = "65536 65535" ]
    [ "$(count 1.0 4 Door)" = 1 ]
    [ "$(count 1.1 4 Door)" = 0 ]
}

@test "in 1.0 head and hands sway by the game's tics and the coarse table" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,2048
thing player1 256,64 angle=90
|player 1 angle=90
|1 pause
|4
|1 pause
|60 forward=113
EOF
    by 1.0 40 62
    local t bob checked=0
    for t in $(seq 40 62); do
        bob=$(raw "$(field 1.0 "$t" Player@0 bob)")
        # the state before tic T was made by tic T - 1
        [ "$(field 1.0 "$t" Player@0 viewz)" = "$(fixed $(((41 << 16) + $(times $((bob / 2)) "$(coarse $((12 * (t - 1))))"))))" ]
        [ "$(field 1.0 "$t" Player@0 weaponx)" = "$(fixed $(((1 << 16) + $(times "$bob" "$(coarse $((4 * (t - 1) + 64)))"))))" ]
        [ "$(field 1.0 "$t" Player@0 weapony)" = "$(fixed $(((32 << 16) + $(times "$bob" "$(coarse $((4 * (t - 1) & 127)))"))))" ]
        checked=$((checked + (bob > 65536)))
    done
    [ $checked -gt 10 ]
}

@test "a fast move is one step, from 1.2 on two where it goes north or east" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,392
thing player1 256,256 angle=90
thing rocket-launcher 256,256
|player 1 angle=90
|1 side=1
|50
|30 fire
EOF
    for version in 1.1 1.2; do
        by $version 50 110
        sed -n 's/^snapshot [0-9]* Rocket@.* y=\([0-9]*\).*/\1/p' $version | sort -n | tail -n 1 >farthest-$version
    done
    # 10 units at its launch, then 20 a tic, and not nearer to the wall at 392 than its radius of 11: 366 by whole steps,
    # 376 by halves; a little less, as the sine of 90 degrees is 65535
    same farthest-1.1 <(echo 365)
    same farthest-1.2 <(echo 375)
}

@test "a rocket's first frame is shorter by 0 to 3 tics, down to what is no time at all" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,2048
thing player1 256,64 angle=90
thing rocket-launcher 256,64
thing rocket-box 256,64
|player 1 angle=90
|1 side=1
|50
|140 fire
EOF
    for version in 1.1 1.2; do
        by $version 50 191
        # after its first move: half a step at its launch, a step in the same tic
        sed -n 's/^snapshot [0-9]* Rocket@.* y=93\.[0-9]* .* tics=\([^ ]*\) .*/\1/p' $version >tics-$version
    done
    [ "$(wc -l <tics-1.1)" -ge 5 ]
    # 1 less 0 to 3, and its turn in the same tic: 1 begins anew, -1 is for ever, and the others are beyond their end
    run ! grep -vxE '1|-1|-3' tics-1.1
    grep -q -e '^-' tics-1.1
    run ! grep -vx 1 tics-1.2
}

@test "in 1.0 a monster draws a number at each look, and none when it is made" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
sector far floor=0 ceil=128
poly far 600,0 1112,512
thing player1 256,256 angle=90
thing zombieman 700,100 800,100 900,100 1000,100
thing candle 20,20 30,20 40,20
|player 1 angle=90
|40
EOF
    for version in 1.0 1.1; do by $version 0 40; done
    # eight things are made; the four that move draw where in their first frame they begin
    [ "$(sed -n 's/^snapshot 0 - .*rng=\([0-9]*\).*/\1/p' 1.0)" = 4 ]
    [ "$(sed -n 's/^snapshot 0 - .*rng=\([0-9]*\).*/\1/p' 1.1)" = 12 ]
    # they stand in frames of ten tics, and look when they enter one: each of them once in ten tics
    local t
    for t in 0 10 20 30; do
        [ $(($(sed -n "s/^snapshot $((t + 10)) - .*rng=\([0-9]*\).*/\1/p" 1.0) - $(sed -n "s/^snapshot $t - .*rng=\([0-9]*\).*/\1/p" 1.0))) = 4 ]
        [ $(($(sed -n "s/^snapshot $((t + 10)) - .*rng=\([0-9]*\).*/\1/p" 1.1) - $(sed -n "s/^snapshot $t - .*rng=\([0-9]*\).*/\1/p" 1.1))) = 0 ]
    done
}

@test "in 1.0 a look goes round all players" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
sector far floor=0 ceil=128
poly far 600,0 1112,512
thing player1 100,256 angle=90
thing player2 200,256 angle=90
thing player3 300,256 angle=90
thing player4 700,400 angle=90
thing imp 700,100 750,100 800,100 850,100 900,100 950,100 1000,100 1050,100 angle=90
|demo players=4
|player 1
|15
|player 2
|1
|player 3
|1
|player 4
|1
EOF
    for version in 1.0 1.1; do by $version 11 11; done
    # within the ten tics of their first frame all have looked once, and the fourth player is there to be seen
    [ "$(grep -c '^snapshot 11 Imp@.* target=Marine@4 ' 1.0)" = 8 ]
    # later at most two players are looked at, from one on that the monster was made with
    run grep -c '^snapshot 11 Imp@.* target=Marine@4 ' 1.1
    ((output > 0 && output < 8))
}

@test "a teleport is a move: who stands there is in the way, and what lies there is taken" {
    local what floor
    for what in imp health-bonus candle; do
        floor=$([ $what = candle ] && echo -96 || echo 0)
        play <<EOF
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 256,96
poly hall 0,96 256,256
line 0,96 256,96 special=97 tag=1
sector pit floor=$floor ceil=128 tag=1
poly pit 500,0 756,256
thing player1 128,90 angle=90
thing teleport-target 628,128 angle=90
thing $what 640,128 angle=90
|player 1 angle=90
|12 forward=113
EOF
        for version in 1.0 1.1 1.2; do
            by $version 0 12
            awk '/^snapshot [0-9]+ Marine@1/ { split($5, x, "="); if (x[2] > 500) { print $2; exit } }' $version >$version.there
        done
        if [ $what = imp ]; then
            same 1.0.there /dev/null
            same 1.1.there /dev/null
            [ "$(field 1.2 "$(cat 1.2.there)" 'Imp@[0-9]*' health)" -lt 0 ]
        elif [ $what = health-bonus ]; then
            [ "$(count 1.0 "$(cat 1.0.there)" HealthBonus)" = 0 ]
            [ "$(count 1.1 "$(cat 1.1.there)" HealthBonus)" = 0 ]
            [ "$(count 1.2 "$(cat 1.2.there)" HealthBonus)" = 1 ]
        else # on the floor there, whatever its height
            [ "$(field 1.0 "$(cat 1.0.there)" Marine@1 z) $(field 1.1 "$(cat 1.1.there)" Marine@1 z)" = '-96 -96' ]
        fi
    done
}

@test "there is no nightmare" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
thing player1 256,256 angle=90
|demo skill=5
|player 1 angle=90
|2
EOF
    for version in 1.0 1.1 1.2; do by $version 0 0; done
    [ "$(field 1.0 0 Game@0 skill) $(field 1.1 0 Game@0 skill) $(field 1.2 0 Game@0 skill)" = '3 3 4' ]
    [ "$(field 1.1 0 Game@0 respawnmonsters) $(field 1.2 0 Game@0 respawnmonsters)" = '0 1' ]
}

@test "lost souls count as kills, suits as items; health goes up to 199; keys with skulls are there in 1.0's deathmatch" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 1024,512
thing player1 256,256 angle=90
thing deathmatch 256,256 256,300 256,350 256,400 angle=90
thing lost-soul 900,100 angle=0
thing radsuit 800,400
thing soulsphere 256,256
thing health-bonus 256,256
thing yellow-skull 500,500 550,500
thing yellow-card 600,500
|player 1 angle=90
|2 side=1
EOF
    for version in 1.0 1.1 1.2; do
        by $version 0 2
        # what lies at the player's feet is touched when he moves, the last made first
        echo "$(field $version 0 Game@0 totalkills) $(field $version 0 Game@0 totalitems) $(field $version 2 Player@0 health)"
    done >found
    # the sphere and the bonus are items, too
    same found <(printf '%s\n' '1 3 199' '1 3 199' '0 2 200')
    [ "$(count 1.1 2 ItemQue) $(count 1.2 2 ItemQue)" = '0 2' ]
    play 109 < <(sed 's/|player 1.*/|demo deathmatch=1\n|player 1 angle=90/' all)
    for version in 1.0 1.1; do
        by $version 0 0
        echo "$(count $version 0 YellowSkullKey) $(count $version 0 YellowKeycard)"
    done >keys
    same keys <(printf '%s\n' '2 0' '0 0')
}

@test "weapons of a deathmatch have two clips" {
    play 109 <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
thing player1 256,256 angle=90
thing player2 56,56 angle=90
thing deathmatch 256,256 256,256 256,256 256,256 angle=90
thing shotgun 256,256
|demo deathmatch=1 players=2
|player 1 angle=90
|2 side=1
|player 2
|2
EOF
    for version in 1.0 1.1 1.2; do by $version 2 2; done
    [ "$(field 1.0 2 Player@0 shells) $(field 1.1 2 Player@0 shells) $(field 1.2 2 Player@0 shells)" = '8 8 20' ]
}

@test "a floor that lowers and changes takes after the first neighbour" {
    play <<'EOF'
flat FLOOR1 FLOOR2 FLOOR3
map E1M1
sector hall floor=0 ceil=128 floorpic=FLOOR1
poly hall 0,0 512,96
poly hall 0,96 512,512
line 0,96 512,96 special=37 tag=1
sector top floor=16 ceil=128 floorpic=FLOOR2 tag=1
poly top 128,512 256,640
sector side floor=8 ceil=128 floorpic=FLOOR3 special=9
poly side 256,512 384,640
thing player1 256,90 angle=90
|player 1 angle=90
|60 forward=113
EOF
    for version in 1.0 1.1 1.2; do
        by $version 60 60
        sed -n 's/^snapshot 60 Sector@.* floor=0 .*floorpic=\([^ ]*\).* special=\([0-9]*\).*/\1 \2/p' $version >$version.pic
    done
    # the one at the height that it goes to is the hall
    same 1.2.pic <(echo FLOOR1 0)
    same 1.1.pic <(echo FLOOR3 9)
    same 1.0.pic 1.1.pic
}

@test "a lift that rose to the next floor stays in the list" {
    play <<'EOF'
map E1M1
sector hall floor=16 ceil=128
poly hall 0,0 512,96
sector lift floor=0 ceil=128 tag=1
poly lift 0,96 512,512
line 512,0 0,0 special=20 tag=1 middle=SW1BRCOM
sector rise floor=0 ceil=128 tag=2
poly rise 600,0 700,100
line 0,0 0,96 special=14 tag=2 middle=SW1BRCOM
thing player1 48,48 angle=270
|player 1 angle=270
|1
|1 use
|1 turn=-64
|1 use
|100
EOF
    for version in 1.0 1.1 1.2; do
        by $version 90 90
        grep -o '^snapshot 90 Plat@.* type=[^ ]* .*status=[^ ]*' $version | sed 's/.* type=\([^ ]*\).* status=\([^ ]*\)/\1 \2/' >$version.plats || true
    done
    cat 1.0.plats
    [ "$(wc -l <1.0.plats)" = 1 ]
    [ "$(wc -l <1.1.plats)" = 1 ]
    same 1.2.plats /dev/null
}

@test "a floor without a higher neighbour goes to what the line's last sector found, or to 0" {
    play <<'EOF'
map E1M1
sector hall floor=32 ceil=128
poly hall 0,0 512,96
poly hall 0,96 512,512
line 0,512 512,512 special=18 tag=1 middle=SW1BRCOM
sector alone floor=24 ceil=128 tag=1
poly alone 600,0 700,100
sector pit floor=0 ceil=128 tag=1
poly pit 800,0 900,100
sector rim floor=16 ceil=128
poly rim 900,0 1000,100
sector last floor=8 ceil=128 tag=1
poly last 1100,0 1200,100
thing player1 256,480 angle=90
|player 1 angle=90
|1
|1 use
|100
EOF
    for version in 1.0 1.1 1.2; do
        by $version 60 60
        sed -n 's/^snapshot 60 Sector@.* floor=\([^ ]*\) .* tag=1 .*/\1/p' $version >$version.floors
    done
    # the first: 0, nobody knows; the second: the rim; the third: the rim, too
    same 1.0.floors <(printf '%s\n' 0 16 16)
    same 1.1.floors 1.0.floors
    # the others did not move: they do not differ from the map
    same 1.2.floors <(echo 16)
}

@test "switch 49 lowers a ceiling, and does not crush" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,96
poly hall 0,96 512,512
line 0,512 512,512 special=49 tag=1 middle=SW1BRCOM
sector press floor=0 ceil=128 tag=1
poly press 600,0 700,100
thing player1 256,480 angle=90
|player 1 angle=90
|1
|1 use
|10
EOF
    local version
    for version in 1.0 1.1 1.2; do
        by $version 5 5
        field $version 5 'Ceiling@[0-9]*' type
    done >types
    same types <(printf '%s\n' lowerandcrush lowerandcrush crushandraise)
}

@test "an exit that was walked over is used up; a button that is pressed can be pressed" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,96
poly hall 0,96 512,512
line 0,96 512,96 special=52
line 0,0 0,96 special=60 tag=9 middle=SW1BRCOM
sector low floor=0 ceil=64 tag=9
poly low 800,0 900,100
thing player1 40,60 angle=180
|player 1 angle=180
|1
|1 use
|40
|1 use
|1
|1 use
|1 turn=-64
|60 forward=113
EOF
    for version in 1.0 1.1 1.2; do
        by $version 0 100
        echo "$(for t in $(seq 0 100); do count $version "$t" Button; done | sort -n | tail -n 1) $(grep -c 'Line@.* special=0 ' $version)"
    done >uses
    sed 's/ [1-9].*/ some/' uses >brief
    same brief <(printf '%s\n' '2 some' '2 some' '1 0')
}

@test "what a floor does to a player goes by the game's tics in 1.0, also while it is paused" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128 special=7
poly hall 0,0 512,512
thing player1 256,256 angle=90
|player 1 angle=90
|5
|1 pause
|9
|1 pause
|90
EOF
    for version in 1.0 1.1; do
        by $version 0 100
        awk '$3 == "Player@0" { split($6, h, "="); if (NR > 1 && h[2] != was && was) printf "%d ", $2 - 1; was = h[2] }' $version >$version.hurt
    done
    # the tics that hurt: 0 and each 32nd, of all tics; of those outside of the pause, which took ten
    same 1.0.hurt <(printf '0 32 64 96 ')
    same 1.1.hurt <(printf '0 42 74 ')
}

@test "in 1.0 the red has no limit, and a boss dies for the dead as well" {
    cat >weak.deh <<'EOF'
Patch File for DeHackEd v3.0

Thing 16
Hit points = 1
EOF
    play <<'EOF'
map E1M1
sector room
poly room 0,0 256,256
map E1M8
sector hall floor=0 ceil=128
poly hall 0,0 512,512
sector pillar floor=64 ceil=128 tag=666
poly pillar 600,0 700,100
sector ring floor=0 ceil=128
poly ring 700,0 800,100
thing player1 256,256 angle=90
thing barrel 256,292 228,284 284,284
thing baron 256,332 angle=270
|player 1 angle=90
|20
|40 fire
|80
EOF
    local version
    for version in 1.0 1.1; do
        by $version 0 139 --deh weak.deh
        grep -q '^snapshot 139 Player@0 .*state=dead' $version
        grep -q '^snapshot 139 BaronOfHell@.* health=-.* tics=-1' $version
        sed -n 's/^snapshot [0-9]* Player@0 .* damagecount=\([0-9]*\) .*/\1/p' $version | sort -n | tail -n 1 >$version.red
    done
    (($(cat 1.0.red) > 100 && $(cat 1.1.red) <= 100))
    [ "$(grep -c '^snapshot 139 Floor@.* type=lowertolowest' 1.0)" = 1 ]
    run ! grep '^snapshot .* Floor@' 1.1
}

@test "deaths by the world are no frags" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128 special=16
poly hall 0,0 512,512
thing player1 256,256 angle=90
|player 1 angle=90
|170
EOF
    local version
    for version in 1.0 1.1 1.2; do
        by $version 170 170
        echo "$(field $version 170 Player@0 state) $(field $version 170 Player@0 frags0)"
    done >deaths
    same deaths <(printf '%s\n' 'dead 0' 'dead 0' 'dead 1')
}

@test "in 1.0 nothing pierces invulnerability" {
    cat >mighty.deh <<'EOF'
Patch File for DeHackEd v3.0

Thing 32
Missile damage = 1000
EOF
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
thing player1 256,100 angle=90
thing invulnerability 256,100
thing imp 256,400 angle=270
|player 1 angle=90
|1 side=1
|300
EOF
    local version
    for version in 1.0 1.1; do
        by $version 0 301 --deh mighty.deh
        grep -q '^snapshot .* ImpFireball@' $version
        field $version 301 Player@0 state
    done >after
    same after <(printf '%s\n' live dead)
}

@test "in 1.0 nobody sees through a line that is not flagged as two-sided" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,256
poly hall 0,256 512,512
line 0,256 512,256 tag=77
thing player1 256,100 angle=90
thing imp 256,400 angle=270
|player 1 angle=90
|12
EOF
    # its flags lie before a special of 0 and the tag; the flag goes, the second side stays
    local hex version
    hex=$(xxd -p level.wad | tr -d '\n')
    [[ $hex == *040000004d00* ]]
    hex=${hex%%040000004d00*}
    for version in 1.0 1.1; do
        by $version 12 12
        field $version 12 'Imp@[0-9]*' target
    done >flagged
    printf '\0' | dd of=level.wad bs=1 seek=$((${#hex} / 2)) conv=notrunc 2>/dev/null
    for version in 1.0 1.1; do
        by $version 12 12
        field $version 12 'Imp@[0-9]*' target
    done >plain
    same flagged <(printf '%s\n' Marine@1 Marine@1)
    same plain <(printf '%s\n' - Marine@1)
}

@test "the numbers of lines that came later do nothing" {
    play <<'EOF'
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,96
poly hall 0,96 512,512
line 0,96 512,96 special=120 tag=1
line 0,512 512,512 special=115 tag=1 middle=SW1BRCOM
sector closet floor=0 ceil=0 tag=1
poly closet 600,0 700,100
thing player1 256,480 angle=90
|player 1 angle=90
|1
|2 use
EOF
    local version
    for version in 1.0 1.1 1.2; do
        by $version 3 3
        count $version 3 Door || true
    done >doors
    same doors <(printf '%s\n' 0 0 1) # 1.2 as chocolate-doom has it
}

@test "an IWAD with the status bar of 1.1 makes a demo without a version one of 1.1" {
    play <<'EOF'
lump STMBARL
map E1M1
sector hall floor=0 ceil=128
poly hall 0,0 512,512
thing player1 256,256 angle=90
|player 1 angle=90
|1 forward=50
EOF
    by 1.1 1 1
    dhsim --iwad level.wad --window 1:2 --every 0 demo.dh >none
    # but for what was asked for
    same <(grep '^snapshot' none) <(grep '^snapshot' 1.1)
    by 1.2 1 1
    run ! cmp -s <(grep '^snapshot' none) <(grep '^snapshot' 1.2)
}

@test "their states are whole: a replay in many worlds is one in one" {
    mkwad level.wad "$DATA/quirks/arena.map"
    mkwalk -v 0 "$DATA/quirks/arena.script" demo.lmp
    lmp2dh -b --dialect doom12 demo.lmp >demo.dh
    local version
    for version in 1.0 1.1; do
        dhsim --iwad level.wad --game-version "$version" demo.dh >whole
        dhsim --iwad level.wad --game-version "$version" --restart-every 7 demo.dh >restarted
        same restarted whole
    done
}
