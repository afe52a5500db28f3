# SPDX-License-Identifier: ISC
# The same stream gives the same bytes, whoever compiled: musl -O2 (the release), glibc with gcc -O3, with clang -O0, and
# with the sanitizers watching. (-w: gcc guesses more at -O3, and other things.)

variants = $(B) $(B)/gcc $(if $(shell command -v clang),$(B)/clang) $(B)/san

$(B)/gcc.variant:
	$(MAKE) B=$(B)/gcc STATIC=0 CC=gcc CFLAGS='-O3 -w' all

$(B)/clang.variant:
	$(MAKE) B=$(B)/clang STATIC=0 CC=clang CFLAGS=-O0 all

# The tools alone: the unit tests under the sanitizers are of `make check-san`.
$(B)/san.variant:
	+$(san_make) all

same: all $(helpers) $(patsubst %,%.variant,$(filter-out $(B),$(variants)))
	tests/same $(variants)

.PHONY: same $(B)/gcc.variant $(B)/clang.variant $(B)/san.variant
