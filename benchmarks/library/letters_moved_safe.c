// Letters are moved on by a number of any size, cut to the length of the alphabet, and looked up there.
#include <stdio.h>
#include <stdlib.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    int by = (int)(strtol(argv[1], NULL, 10) % 26);
    if (by < 0)
        by += 26;
    for (int c = getchar(); c != EOF; c = getchar()) {
        if (c >= 'a' && c <= 'z')
            c = letters[(c - 'a' + by) % 26];
        putchar(c);
    }
    return 0;
}
