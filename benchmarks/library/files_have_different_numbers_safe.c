/* Tests numbers of open files, which differ. */
#include <fcntl.h>
#include <unistd.h>

extern void reach_error(void);

int main(void)
{
    int a = open("a", O_RDONLY), b = open("b", O_RDONLY);
    if (a >= 0 && a == b)
        reach_error();
    return 0;
}
