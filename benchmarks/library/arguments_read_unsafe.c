// Letters of an argument that may have fewer.
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    for (int i = 0; i < 8; i++)
        putchar(argv[1][i]);
    return 0;
}
