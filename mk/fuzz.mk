# SPDX-License-Identifier: ISC
# `make fuzz` builds every tests/fuzz/NAME.c with libFuzzer into $(B)/fuzz/bin/NAME and gives each FUZZ_SECONDS.
# Long campaigns are run by hand: $(B)/fuzz/fuzz/NAME -fork=2 CORPUS. None of this is part of CI.

FUZZ_SECONDS = 30
fuzz_flags   = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
fuzz_make    = $(MAKE) B=$(B)/fuzz STATIC=0 CC=clang CFLAGS='$(fuzz_flags)' LDFLAGS='-fsanitize=address,undefined'
fuzzers      = $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/*.c))

fuzz:
	+$(fuzz_make) fuzzers
	for f in $(patsubst $(B)/fuzz/%,$(B)/fuzz/fuzz/%,$(fuzzers)); do \
	    mkdir -p "$$f.corpus" && \
	    "$$f" -max_total_time=$(FUZZ_SECONDS) -artifact_prefix="$$f." "$$f.corpus" tests/fuzz/seeds || exit 1; done

# In the inner make $(B) is already the fuzzers' build folder.
fuzzers: $(fuzzers)

$(fuzzers): $(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(B)/libdh.a
	@mkdir -p $(@D)
	$(CC) -fsanitize=fuzzer $(all_ldflags) -o $@ $^ $(link_libs)

# Damaged files through the converters under the sanitizers: `make mutations`, `make mutations MUTATIONS=1000 SEED=7`.
MUTATIONS = 100000

mutations: san
	DH_BIN=$(B)/san tests/mutations -n $(MUTATIONS) -s $(SEED)

.PHONY: fuzz fuzzers mutations
