// Two lines are read into one buffer: a key, then its value. What is told of both is what they begin with.
#include <stdio.h>

int main(void)
{
    char line[8];
    int marks[2] = {0, 0};
    if (!fgets(line, sizeof line, stdin))
        return 0;
    int place = line[0] == 'k' ? 0 : 2;
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (line[0] == 'v' && place < 2)
        marks[place]++;
    return marks[0];
}
