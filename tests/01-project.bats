#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The project's own machinery: installing, and the runners that all other tests rely on to fail when they should.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset MAKEFLAGS MAKELEVEL # of the make that may run us
}

# -o all: installs what is built, with whatever flags, and builds nothing.
install_into() { # GOAL
    make -s -C "$ROOT" -o all "$1" B="$DH_BIN" DESTDIR="$PWD/root" PREFIX=/opt/dh
}

@test "install: tools, library, header, pkg-config file, pages; uninstall takes them all away" {
    install_into install
    for tool in "${TOOLS[@]}"; do
        [ -x "root/opt/dh/bin/$tool" ]
        [ -r "root/opt/dh/share/man/man1/$tool.1" ]
    done
    [ -r root/opt/dh/include/dh.h ]
    [ -r root/opt/dh/lib/libdh.a ]
    [ "$(root/opt/dh/bin/dhcat --version)" = "$(dhcat --version)" ]
    run ! grep @ root/opt/dh/lib/pkgconfig/dh.pc
    grep -qx 'libdir=/opt/dh/lib' root/opt/dh/lib/pkgconfig/dh.pc
    [ "dhcat $(sed -n 's/^Version: //p' root/opt/dh/lib/pkgconfig/dh.pc)" = "$(dhcat --version)" ]

    install_into uninstall
    [ -z "$(find root -type f)" ]
}

@test "the installed header stands alone" {
    # shellcheck disable=SC1091
    . "$DH_BIN/obj/flags"
    mkdir include
    cp "$ROOT/lib/dh.h" include
    echo '#include <dh.h>' >a.c
    # shellcheck disable=SC2086 # lists of words
    $CC $CFLAGS -Iinclude -Wall -Wextra -Werror -fsyntax-only a.c
}

@test "the installed header stands alone in C++ too" {
    need_cmd g++
    mkdir include
    cp "$ROOT/lib/dh.h" include
    echo '#include <dh.h>' >a.cc
    g++ -Iinclude -fsyntax-only a.cc
}

# bats takes every line that begins with its keyword for a test of this file, in a here-document too.
bats_file() { # FILE 'NAME { BODY; }'...
    local file=$1
    shift
    : >"$file"
    for t; do
        echo "@""test $t" >>"$file"
    done
}

@test "the runner: a pass, a failure, a skip with its reason, and its status" {
    bats_file a.bats 'good { true; }' 'bad { false; }' 'out { skip "no moon tonight"; }'
    run -1 "$ROOT/tests/run" "$PWD/a.bats"
    [ "${lines[-1]}" = "1 passed, 1 failed, 1 skipped" ]
    [[ $output == *"out: no moon tonight"* ]]

    sed -i /bad/d a.bats
    run -0 "$ROOT/tests/run" "$PWD/a.bats"
    [ "${lines[-1]}" = "1 passed, 0 failed, 1 skipped" ]
}

@test "the runner: a file that dies, holds no test, or does not load has failed" {
    # shellcheck disable=SC2016
    bats_file dies.bats 'a { true; }' 'b { kill -9 $$; }'
    bats_file empty.bats
    bats_file syntax.bats 'a { true; }'
    echo '}' >>syntax.bats
    for f in dies empty syntax; do
        run -1 "$ROOT/tests/run" "$PWD/$f.bats"
        [[ ${lines[-1]} =~ ^[01]\ passed,\ [1-9] ]]
    done
}

@test "the runner: only skips is no success" {
    bats_file a.bats 'out { skip "because"; }'
    run -1 "$ROOT/tests/run" "$PWD/a.bats"
    [ "${lines[-1]}" = "0 passed, 0 failed, 1 skipped" ]
}

@test "the runner: a unit test that crashes after its last good line has failed" {
    mkdir -p here/unit
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "ok 1 fine"\nkill -SEGV $$\n' >here/unit/crash
    printf '#!/bin/sh\necho "ok 1 fine"\necho 1..2\n' >here/unit/short
    printf '#!/bin/sh\necho "ok 1 fine"\necho 1..1\nexit 3\n' >here/unit/status
    chmod +x here/unit/*
    for u in crash short status; do
        DH_BIN=$PWD/here run -1 "$ROOT/tests/run" unit/$u
        [ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
    done
}

@test "man page examples: what they print is compared, line by line" {
    cat >page.1 <<'EOF'
.Sh EXAMPLES
.Bd -literal
$ echo one; echo two
one
two
$ seq 9
1
\&...
9
$ printf \(aq%s\en\(aq \(aqa
b\(aq
a
b
.Ed
.\" notest: no moon tonight
.Bd -literal
$ false
.Ed
.Bd -literal
$ seq 2
1
.Ed
.Bd -literal
$ no-such-command-here
.Ed
EOF
    run -1 "$ROOT/tests/man-examples" "$PWD/page.1"
    [[ ${lines[0]} == "ok 1 "* ]]
    [[ ${lines[1]} == "ok 2 "*"# SKIP no moon tonight" ]]
    [[ $output == *"not ok 3 "* ]]
    [[ $output == *"not ok 4 "* ]]
    [ "${lines[-1]}" = 1..4 ]
}

@test "no tool calls setlocale" {
    need_cmd nm
    for tool in "${TOOLS[@]}"; do
        nm "$DH_BIN/$tool" >symbols
        run ! grep -w setlocale symbols
    done
}
