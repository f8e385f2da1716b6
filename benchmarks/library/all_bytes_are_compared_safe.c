/* Tests memcmp, which reads all bytes whatever the first ones are. */
#include <string.h>

int main(void)
{
    char first[4] = { 1 }, second[6] = { 2 };
    return memcmp(first, second, 4) < 0;
}
