/* Tests sets of signals. */
#include <signal.h>

extern void reach_error(void);

int main(void)
{
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    if (sigismember(&set, SIGINT) != 0 || !sigismember(&set, SIGTERM))
        reach_error();
    return 0;
}
