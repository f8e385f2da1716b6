/* Tests asprintf: the block has room for the text and its end. Violated: the text to be printed has no end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    char key[3] = "key";
    int n = asprintf(&text, "%s-%d", key, 42);
    if (n < 0)
        return 1;
    text[n] = 0;
    free(text);
    return 0;
}
