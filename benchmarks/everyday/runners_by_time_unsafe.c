/* Records with names are read, sorted by insertion, each as a whole, and one more than was read is printed. */
#include <stdio.h>

#define MOST 20

struct runner {
    char name[24];
    int seconds;
};

int main(void)
{
    struct runner runners[MOST];
    int count = 0;

    while (count < MOST) {
        if (scanf("%23s %d", runners[count].name, &runners[count].seconds) != 2)
            break;
        count++;
    }
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && runners[j - 1].seconds > runners[j].seconds; j--) {
            struct runner faster = runners[j];
            runners[j] = runners[j - 1];
            runners[j - 1] = faster;
        }
    for (int i = 0; i <= count; i++)
        printf("%s %d\n", runners[i].name, runners[i].seconds);
    return 0;
}
