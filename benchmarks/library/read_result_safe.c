/* Tests that read may fail. */
#include <unistd.h>

int main(void)
{
    char buffer[10];
    long n = read(0, buffer, 9);
    if (n < 0)
        return 1;
    buffer[n] = 0;
    return buffer[0];
}
