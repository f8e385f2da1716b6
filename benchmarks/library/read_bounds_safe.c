/* Tests read: up to the number of bytes given. */
#include <unistd.h>

int main(void)
{
    char buffer[10];
    long n = read(0, buffer, 10);
    if (n <= 0)
        return 0;
    return buffer[n - 1] == 'x';
}
