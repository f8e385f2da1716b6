/* Tests a file that may not open. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("settings", "r");
    if (!file)
        return 1;
    fprintf(file, "%d", 3);
    fclose(file);
    return 0;
}
