/* Tests sets of signals. Violated: what was taken out is no longer in. */
#include <signal.h>

extern void reach_error(void);

int main(void)
{
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    if (sigismember(&set, SIGINT) == 0 || !sigismember(&set, SIGTERM))
        reach_error();
    return 0;
}
