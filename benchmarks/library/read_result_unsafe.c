/* Tests that read may fail. Violation: the result -1 is used as an index. */
#include <unistd.h>

int main(void)
{
    char buffer[10];
    long n = read(0, buffer, 9);
    buffer[n] = 0;
    return buffer[0];
}
