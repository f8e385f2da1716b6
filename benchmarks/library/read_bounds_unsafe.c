/* Tests read: up to the number of bytes given. Violation: the number is larger than the buffer. */
#include <unistd.h>

int main(void)
{
    char buffer[10];
    long n = read(0, buffer, 11);
    if (n <= 0)
        return 0;
    return buffer[n - 1] == 'x';
}
