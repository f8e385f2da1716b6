/* Tests cutting the newline of a line read: a line may start with a zero byte, then its length is
 * 0. Violation: the byte before the array is read.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8] = "";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    size_t n = strlen(line);
    if (line[n - 1] == '\n')
        line[n - 1] = 0;
    return 0;
}
