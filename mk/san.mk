# SPDX-License-Identifier: ISC
# The tests under AddressSanitizer and UndefinedBehaviorSanitizer; the first report ends the program that made it.
# Against the host's libc (the sanitizers' run-time libraries know no musl), in a build folder of its own. Without warnings:
# between the checks that the sanitizers put in, gcc loses sight of what a value can be.

SAN_CC     = gcc
san_flags  = -O1 -g -w -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
san_make   = $(MAKE) B=$(B)/san STATIC=0 CC='$(SAN_CC)' CFLAGS='$(san_flags)' LDFLAGS='$(san_flags)'

san:
	+$(san_make) all unit

check-san: san
	DH_BIN=$(B)/san tests/run

.PHONY: san check-san
