# SPDX-License-Identifier: ISC
# Random demos against a reference engine, tic by tic: `make campaign N=200`, `make campaign N=50 SEED=7`.
N    = 20
SEED = 1

campaign: all unit
	DH_BIN=$(B) tests/oracle/campaign -n $(N) -s $(SEED)

.PHONY: campaign
