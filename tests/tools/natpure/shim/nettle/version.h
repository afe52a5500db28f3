/* SPDX-License-Identifier: ISC */
#ifndef SHIM_VERSION_H
#define SHIM_VERSION_H

#define NETTLE_VERSION_MAJOR 4

#endif
