/* Tests a block reachable only through another one. Violation: freeing the parent loses the child. */
#include <stdlib.h>

struct parent {
    int id;
    int *child;
};

int main(void)
{
    struct parent *p = malloc(sizeof(struct parent));
    p->child = malloc(sizeof(int));
    free(p);
    return 0;
}
