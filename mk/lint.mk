# SPDX-License-Identifier: ISC
# Warnings count here too, and the layers are read from the objects.
lint: all
	mk/lint $(B)

format:
	clang-format -i $(wildcard lib/*.[ch] lib/*/*.[ch] cmd/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch])

.PHONY: lint format
