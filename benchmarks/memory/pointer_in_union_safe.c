/* Tests a pointer that shares its bytes with a number. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

union slot {
    int *pointer;
    long number;
};

int main(void)
{
    union slot s;
    int *p = malloc(sizeof(int));
    *p = 1;
    int is_number = __VERIFIER_nondet_int();
    if (is_number)
        s.number = 5;
    else
        s.pointer = p;
    int r = 0;
    if (!is_number)
        r = *s.pointer;
    free(p);
    return r;
}
