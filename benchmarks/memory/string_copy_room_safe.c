/* Tests the room for the terminator of a copied string. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *from = "word";
    char *to = malloc(strlen(from) + 1);
    strcpy(to, from);
    free(to);
    return 0;
}
