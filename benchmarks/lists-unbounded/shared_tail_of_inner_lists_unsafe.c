/* A list of owners whose inner lists all end in one common list. Violation: the first owner
 * frees the common list with its own.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part { struct part *next; };
struct owner { struct owner *next; struct part *parts; };

int main(void)
{
    struct part *common = NULL, *p;
    struct owner *owners = NULL, *o;
    do {
        p = malloc(sizeof *p);
        p->next = common;
        common = p;
    } while (__VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int()) {
        o = malloc(sizeof *o);
        o->parts = common;
        while (__VERIFIER_nondet_int()) {
            p = malloc(sizeof *p);
            p->next = o->parts;
            o->parts = p;
        }
        o->next = owners;
        owners = o;
    }
    while ((o = owners)) {
        owners = o->next;
        while (o->parts != (owners ? common : NULL)) {
            p = o->parts;
            o->parts = p->next;
            free(p);
        }
        free(o);
    }
    while (common) {
        p = common;
        common = p->next;
        free(p);
    }
    return 0;
}
