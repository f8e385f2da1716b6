/* Of the records that are copied at once only the first holds a text: what was in the others before is gone. */
#include <stdio.h>
#include <string.h>

#define MOST 40

struct record {
    char name[8];
    int number;
};

static struct record records[MOST], spare[MOST];

int main(void)
{
    int count = 0;
    while (count < MOST) {
        if (scanf("%7s %d", records[count].name, &records[count].number) != 2)
            return 0;
        count++;
    }
    memset(spare, 'x', sizeof spare);
    if (scanf("%7s", spare[0].name) != 1)
        return 0;
    while (getchar() == ' ')
        ;
    memcpy(records, spare, sizeof records);
    int at = 0;
    if (scanf("%d", &at) != 1 || at < 0 || at >= MOST)
        return 0;
    if (getchar() != '%')
        return 0;
    puts(records[at].name);
    return 0;
}
