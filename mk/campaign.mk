# SPDX-License-Identifier: ISC
# Random demos against a reference engine, tic by tic: `make campaign N=200`, `make campaign N=50 SEED=7`. KEEP=DIR: what the
# reference played is remembered there, and the same demos take our time alone.
N    = 20
SEED = 1

campaign: all unit
	DH_BIN=$(B) tests/oracle/campaign -n $(N) -s $(SEED)$(if $(KEEP), -k $(KEEP))

.PHONY: campaign

# The goldens of tests/data/quirks, out of the reference engine's savegames: `make quirks`, `make quirks ROW=gibs-1.2`.
quirks: all unit
	DH_BIN=$(B) tests/data/quirks/reference $(ROW)

.PHONY: quirks

# The three long demos from each of their checkpoints: minutes each.
checkpoints: all unit
	DH_BIN=$(B) tests/oracle/checkpoints $(or $(DEMO),hqr-4339 30mm8356 30id-4525)

.PHONY: checkpoints
