// The first letters of an argument, up to its end.
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    for (int i = 0; i < 8 && argv[1][i]; i++)
        putchar(argv[1][i]);
    return 0;
}
