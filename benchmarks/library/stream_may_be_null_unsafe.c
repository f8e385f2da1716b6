/* Tests a file that may not open. Violated: the stream is null. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("settings", "r");
    fprintf(file, "%d", 3);
    fclose(file);
    return 0;
}
