# SPDX-License-Identifier: ISC
# The binaries, and what an embedder needs: library, header, pkg-config file; and the man pages.

installed = $(addprefix $(BINDIR)/,$(tools)) $(LIBDIR)/libdh.a $(LIBDIR)/pkgconfig/dh.pc $(INCLUDEDIR)/dh.h \
            $(foreach p,$(pages),$(MANDIR)/man$(patsubst .%,%,$(suffix $(p)))/$(notdir $(p)))

install: all
	$(INSTALL) -d $(addprefix $(DESTDIR),$(sort $(dir $(installed))))
	$(INSTALL) -m 755 $(addprefix $(B)/,$(tools)) $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 644 $(B)/libdh.a $(DESTDIR)$(LIBDIR)
	$(INSTALL) -m 644 lib/dh.h $(DESTDIR)$(INCLUDEDIR)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	    -e 's|@VERSION@|$(VERSION)|' mk/dh.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/dh.pc
	for p in $(pages); do $(INSTALL) -m 644 "$$p" "$(DESTDIR)$(MANDIR)/man$${p##*.}" || exit; done

uninstall:
	rm -f $(addprefix $(DESTDIR),$(installed))

.PHONY: install uninstall
