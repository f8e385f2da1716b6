/* Names are read into an array of records, and copied to where they have as much room. */
#include <stdio.h>
#include <string.h>

#define MOST 40

struct player {
    char name[24];
    int points;
};

static struct player players[MOST];

int main(void)
{
    int count = 0;
    unsigned long letters = 0;

    while (count < MOST && scanf("%23s", players[count].name) == 1)
        players[count++].points = 1;
    for (int i = 0; i < count; i++) {
        char name[24];
        strcpy(name, players[i].name);
        letters += strlen(name);
    }
    printf("%d names, %lu letters\n", count, letters);
    return 0;
}
