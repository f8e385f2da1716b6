// The first argument is copied into a block without room for its end.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || !*argv[1])
        return 1;
    char *copy = malloc(strlen(argv[1]));
    if (!copy)
        return 1;
    strcpy(copy, argv[1]);
    free(copy);
    return 0;
}
