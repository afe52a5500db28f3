# SPDX-License-Identifier: ISC
#
#   cmd/NAME.c, cmd/cmd.c ──> bin/NAME            one file a tool: usage, parse, open, loop, close; what they share
#                  links          │
#   lib/*.c, lib/*/*.c ─────> bin/libdh.a         everything else; what an embedder links with lib/dh.h
#                  links          │
#   libbsd, libmd                                 strtonum, vis, queue.h; MD5
#   nettle                                        SHA-256, by the processor's own instructions where it has them
#   zlib                                          deflated members of zip archives
#
# Inside lib, dependencies point down only (mk/layers checks it):
#
#   cmd -> replay, compare, slice -> stream -> chunk, text -> schema -> bytes
#   the worlds lib/native and lib/doom know world.h, dh.h and their own folder
#   the foreign formats lib/lmp and lib/dem speak stream's records
#
# Everything built goes under $(B), by default bin/. The settings are in mk/config.mk.

.DEFAULT_GOAL = all
.DELETE_ON_ERROR:
.SUFFIXES:

include mk/config.mk

tools   = $(filter-out cmd fortify heap,$(patsubst cmd/%.c,%,$(wildcard cmd/*.c)))
objects = $(patsubst %.c,$(B)/obj/%.o,$(wildcard lib/*.c lib/*/*.c))
units   = $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/*.c))
helpers = $(patsubst tests/tools/%/,$(B)/tools/%,$(wildcard tests/tools/*/))
pages   = $(wildcard man/*.[1-9])

all: $(addprefix $(B)/,$(tools)) $(B)/libdh.a

$(addprefix $(B)/,$(tools)): $(B)/%: $(B)/obj/cmd/%.o $(B)/obj/cmd/cmd.o $(B)/libdh.a $(fortify)
	$(CC) $(all_ldflags) -o $@ $^ $(link_libs)

# musl takes memory in small pieces and gives it back at once; the host's libc does not.
$(B)/dhsim $(B)/dhverify: $(if $(filter-out 0,$(STATIC)),$(B)/obj/cmd/heap.o)

$(units): $(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/libdh.a $(fortify)
	@mkdir -p $(@D)
	$(CC) $(all_ldflags) -o $@ $^ $(link_libs)

# Programs that only the tests run, each a folder of its own.
.SECONDEXPANSION:
$(helpers): $(B)/tools/%: $$(addprefix $(B)/obj/,$$(addsuffix .o,$$(basename $$(wildcard tests/tools/$$*/*.c)))) $(B)/libdh.a $(fortify)
	@mkdir -p $(@D)
	$(CC) $(all_ldflags) -o $@ $^ $(link_libs)

# From scratch each time: an archive would keep the objects of sources that are gone.
$(B)/libdh.a: $(objects) $(B)/obj/sources
	@rm -f $@
	$(AR) rcs $@ $(objects)

$(B)/obj/%.o: %.c $(B)/obj/flags | $(bsd_links)
	@mkdir -p $(@D)
	$(CC) $(all_cflags) -MMD -MP -c -o $@ $<

# Two stamps that change only when what they say changes: the compiler and its flags (also read by the tests that
# compile a program of their own), and the list of the library's sources.
define flags_text
CC='$(CC)'
CFLAGS='$(subst ','\'',$(language) $(bsd_flags) $(CPPFLAGS) $(CFLAGS))'
LDFLAGS='$(all_ldflags)'
LDLIBS='$(strip $(abspath $(fortify)) $(link_libs))'
# $(warnings) $(VERSION)
endef
export flags_text
sources_text = $(objects)
export sources_text

$(B)/obj/flags $(B)/obj/sources: $(B)/obj/%: always
	@mkdir -p $(@D)
	@printf '%s\n' "$$$*_text" | cmp -s - $@ || printf '%s\n' "$$$*_text" >$@
	@$(if $(and $(STATIC_NOTE),$(filter flags,$*)),echo 'dh: $(STATIC_NOTE)' >&2)

# Where the links are older than the makefile that lists them, they are made anew.
$(B)/obj/inc: Makefile
	@mkdir -p $@
	ln -sf $(addprefix $(BSD_INCLUDE)/,bsd md5.h nettle zlib.h zconf.h) $@
	@touch $@

# The two commands of the README: each installs what is missing, builds, and runs.
demo:
	@mk/deps demo
	+@$(build) all $(B)/tools/taplines
	@DH_BIN=$(B) tests/demo

check:
	@mk/deps check
	+@$(build) all unit
	@DH_BIN=$(B) tests/run

# Quietly, and on all processors unless make was told how many.
build = $(MAKE) -s $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

unit: $(units) $(helpers)

bench: all $(addprefix $(B)/tools/,mkdemo natbench peak)
	DH_BIN=$(B) tests/bench

# The goldens come from the reference engines' output, never from our own.
golden: all unit
	DH_BIN=$(B) tests/golden/regenerate

include mk/san.mk mk/same.mk mk/fuzz.mk mk/campaign.mk mk/crash.mk mk/lint.mk mk/install.mk

clean:
	rm -rf bin/* $(filter-out bin bin/,$(wildcard $(B)/obj $(B)/unit $(B)/tools $(B)/libdh.a $(addprefix $(B)/,$(tools))))

always:
.PHONY: all demo check unit bench golden clean always

-include $(patsubst %.o,%.d,$(objects)) $(wildcard $(B)/obj/cmd/*.d $(B)/obj/tests/*/*.d $(B)/obj/tests/*/*/*.d)
