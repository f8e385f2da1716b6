/* Tests the parts of a known time. */
#include <time.h>
extern void reach_error(void);
int main(void)
{
    time_t leap_day = 951782400;
    struct tm parts;
    if (!gmtime_r(&leap_day, &parts))
        return 0;
    if (parts.tm_year != 100 || parts.tm_mon != 1 || parts.tm_mday != 29 || parts.tm_wday != 2 || parts.tm_yday != 59)
        reach_error();
    return 0;
}
