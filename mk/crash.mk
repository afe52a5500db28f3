# SPDX-License-Identifier: ISC
# Recordings of servers that are killed, and of disks that fill up: `make crash`, `make crash KILLS=50 DISKS=10`.
# (make check does a few of each.)
KILLS = 200
DISKS = 50

crash: all unit
	DH_BIN=$(B) tests/crash kill $(KILLS)
	DH_BIN=$(B) tests/crash full $(DISKS)

.PHONY: crash
