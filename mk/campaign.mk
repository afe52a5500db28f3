# SPDX-License-Identifier: ISC
# Random demos against a reference engine, tic by tic: `make campaign N=200`, `make campaign N=50 SEED=7`.
N    = 20
SEED = 1

campaign: all unit
	DH_BIN=$(B) tests/oracle/campaign -n $(N) -s $(SEED)

.PHONY: campaign

# The three long demos from each of their checkpoints: minutes each.
checkpoints: all unit
	DH_BIN=$(B) tests/oracle/checkpoints $(or $(DEMO),hqr-4339 30mm8356 30id-4525)

.PHONY: checkpoints
