# SPDX-License-Identifier: ISC
# What a packager or a developer may set, and how the compiler and libbsd are found.
#
#   PREFIX, DESTDIR, BINDIR, LIBDIR, INCLUDEDIR, MANDIR   where `make install` puts things
#   B=DIR         build output: DIR/NAME the binaries, DIR/libdh.a, DIR/obj the rest (default: bin)
#   STATIC=0      the host's libc and shared libbsd, with any CC; STATIC=1 insists on a static musl build
#   CC, CFLAGS, CPPFLAGS, LDFLAGS   as everywhere
#   DEVELOPER=1   warnings are errors (CI sets it; a user's newer compiler must not fail on a new warning)

VERSION    = 0.1.0

PREFIX     = /usr/local
BINDIR     = $(PREFIX)/bin
LIBDIR     = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
MANDIR     = $(PREFIX)/share/man

B          = bin

CFLAGS     = -O2 -g
INSTALL    = install

# A static build needs a compiler for musl (the wrapper musl-gcc, or the native compiler of a musl system) and the
# archives of the libraries. Where something is missing and STATIC was not asked for, the host's libc serves.
ifeq ($(origin CC),default)
  ifneq ($(STATIC),0)
    CC := $(shell command -v musl-gcc >/dev/null 2>&1 && echo musl-gcc || echo cc)
  endif
endif
host_cc     := $(if $(filter %musl-gcc,$(CC)),$(or $(REALGCC),gcc),$(CC))
is_musl     := $(or $(filter %musl-gcc,$(CC)),$(findstring musl,$(shell $(CC) -dumpmachine 2>/dev/null)))
# -print-file-name answers with the bare name when the file is nowhere.
libbsd_a    := $(filter /%,$(shell $(host_cc) -print-file-name=libbsd.a 2>/dev/null))
libmd_a     := $(filter /%,$(shell $(host_cc) -print-file-name=libmd.a 2>/dev/null))
libnettle_a := $(filter /%,$(shell $(host_cc) -print-file-name=libnettle.a 2>/dev/null))
libz_a      := $(filter /%,$(shell $(host_cc) -print-file-name=libz.a 2>/dev/null))
static_ok   := $(and $(is_musl),$(libbsd_a),$(libmd_a),$(libnettle_a),$(libz_a))

ifeq ($(origin STATIC),undefined)
  STATIC     := $(if $(static_ok),1,0)
  ifeq ($(STATIC),0)
    STATIC_NOTE := no static musl build with CC=$(CC) here (it takes a musl compiler, libbsd.a, libmd.a, libnettle.a and libz.a): building against the host libc
    # The wrapper without the archives it would link: step back to the host's compiler.
    CC := $(host_cc)
  endif
endif

ifeq ($(STATIC),0)
  link_flags =
  link_libs  = -lmd -lbsd -lnettle -lz -lm
else
  link_flags = -static
  # Named as files: -L their folder would pull the host's libc.a in before musl's. libmd comes first, since libbsd has
  # deprecated wrappers of the same names, and again last, since those want it.
  link_libs  = $(libmd_a) $(libbsd_a) $(libmd_a) $(libnettle_a) $(libz_a) -lm
  # musl-gcc sees no host header, and must not see them all: a folder of links to the libraries' alone. And it links the
  # host's archives, which ask for what musl has not.
  ifneq ($(filter %musl-gcc,$(CC)),)
    BSD_INCLUDE = /usr/include
    bsd_links   = $(B)/obj/inc
    bsd_flags   = -isystem $(abspath $(bsd_links))
    fortify     = $(B)/obj/cmd/fortify.o
  endif
endif

# The tick's arithmetic must not depend on the compiler: no fused multiply-add.
language   = -std=gnu11 -ffp-contract=off
warnings   = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
             -Wmissing-prototypes -Wvla $(if $(filter 1,$(DEVELOPER)),-Werror)
# libbsd's vis.h warns until told which of two strnvis it shall declare; we use neither.
defines    = -D_FILE_OFFSET_BITS=64 -DLIBBSD_OPENBSD_VIS
all_cflags = $(language) $(warnings) $(defines) -DDH_VERSION='"$(VERSION)"' \
             -Ilib $(bsd_flags) $(CPPFLAGS) $(CFLAGS)
all_ldflags = $(link_flags) $(LDFLAGS)
