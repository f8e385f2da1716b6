/* The average of some readings. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define MOST 10

static int read_all(int *readings)
{
    int count = 0;
    while (count < MOST) {
        int reading = __VERIFIER_nondet_int();
        if (reading == -1)
            break;
        readings[count++] = reading;
    }
    return count;
}

static int average(const int *readings, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += readings[i];
    return sum / count;
}

int main(void)
{
    int readings[MOST];
    int count = read_all(readings);
    if (count == 0)
        return 1;
    printf("%d\n", average(readings, count));
    return 0;
}
