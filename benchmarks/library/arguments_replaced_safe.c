// The first argument's place gets a block of its own, which is not lost as long as the arguments are there.
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    argv[1] = malloc(8);
    for (int i = 0; i < argc; i++) {
    }
    return 0;
}
