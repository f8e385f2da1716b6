/* Tests the room for the terminator of a copied string. Violation: strcpy writes one byte behind
 * the block.
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *from = "word";
    char *to = malloc(strlen(from));
    strcpy(to, from);
    free(to);
    return 0;
}
