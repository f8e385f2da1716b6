/* Tests that a block is followed through a program that prints. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char name[12];
    char *last = 0;
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "item%d", i);
        free(last);
        last = malloc(8);
        last[0] = name[4];
    }
    int ends = last[0] == '2';
    free(last);
    return !ends;
}
