/* SPDX-License-Identifier: ISC */
/* plate.c - volumes that know who is in them; a door reads at the next tick whether they are pressed. */
#include "inner.h"

static void tell(struct dh_world *w, const struct plate *p, int slot)
{
    struct dh_buf *b = nat_event(w, "plate", slot < 0 ? DH_NO_SLOT : slot);

    if (b) {
        dh_build_event_pair(b, "plate", "%d", p->body);
        dh_build_event_pair(b, "state", "%s", p->pressed ? "pressed" : "released");
    }
}

void nat_plate_tick(struct dh_world *w, struct plate *p)
{
    uint8_t was = p->pressed;
    int first = NOBODY;

    p->pawns = 0;
    p->props = 0;
    for (int i = 0; i < NAT_SLOTS; i++) {
        if (!w->pawns[i].live || (w->pawns[i].flags & NOCLIP))
            continue;
        struct capsule c = nat_pawn_capsule(w, &w->pawns[i]);
        struct bounds b = nat_capsule_bounds(&c);
        if (!nat_bounds_meet(&p->bounds, &b) || !(nat_capsule_box(&c, &p->box).separation < 0.0f))
            continue;
        p->pawns |= UINT64_C(1) << i;
        first = first < 0 ? i : first;
    }
    for (int i = 0; i < w->nprops; i++) {
        const struct body *b = &w->bodies[w->props[i].body];
        if (nat_bounds_meet(&p->bounds, &b->bounds) &&
            nat_box_box(&b->box, &p->box, v3(0.0f, 0.0f, 0.0f)).separation < 0.0f)
            p->props++;
    }
    p->pressed = p->pawns != 0 || p->props != 0;
    if (p->pressed != was)
        tell(w, p, first);
}
