# SPDX-License-Identifier: ISC
lint:
	mk/lint

format:
	clang-format -i $(wildcard lib/*.[ch] lib/*/*.[ch] cmd/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch])

.PHONY: lint format
