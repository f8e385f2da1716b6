/* Clocks and calendars. Where a date is written as text or in parts, any text and any parts are taken. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_inexact(void);
void __margay_failed(int number);
double __margay_is_known(double x);
int __margay_any_int(void);
long __margay_any_long(void);
size_t __margay_any_size(void);

/* As long as glibc's. */
struct parts {
  int numbers[9];
  long offset;
  const char *zone;
};

static void look_at_time(const void *p, size_t n) {
  void *seen = __builtin_alloca(n);
  memcpy(seen, p, n);
}

/* Seconds since 1970. */
long time(long *result) {
  long now = __margay_any_long();
  __margay_assume(now >= 0);
  if (result)
    *result = now;
  return now;
}

/* Time that was used does not become less; where `long` is short it comes round. */
long clock(void) {
  static long last;
  long x = __margay_any_long();
  __margay_assume(x >= -1);
  if (x >= 0 && sizeof(long) == 8) {
    __margay_assume(x >= last);
    last = x;
  }
  return x;
}

int gettimeofday(void *result, void *zone) {
  if (result) {
    long *parts = result;
    parts[0] = __margay_any_long();
    parts[1] = __margay_any_long();
    __margay_assume(parts[1] >= 0 && parts[1] < 1000000);
  }
  if (zone)
    __margay_havoc(zone, 2 * sizeof(int));
  return 0;
}

/* Clocks that every Linux has. Those that nobody can set do not go back. */
int clock_gettime(int clock, void *result) {
  static long last[2];
  long *parts = result;
  if ((clock < 0 || clock > 7) && !__margay_any_int()) {
    __margay_failed(22);
    return -1;
  }
  if (clock > 11) {
    __margay_inexact();
    __margay_failed(22);
    return -1;
  }
  parts[0] = __margay_any_long();
  parts[1] = __margay_any_long();
  __margay_assume(parts[1] >= 0 && parts[1] < 1000000000);
  if (clock != 0 && clock != 5) {
    __margay_assume(parts[0] >= 0);
    if (clock == 1) {
      __margay_assume(parts[0] > last[0] || (parts[0] == last[0] && parts[1] >= last[1]));
      last[0] = parts[0];
      last[1] = parts[1];
    }
  }
  return 0;
}

int nanosleep(const void *wanted, void *left) {
  look_at_time(wanted, 2 * sizeof(long));
  const long *parts = wanted;
  if (parts[0] < 0 || parts[1] < 0 || parts[1] > 999999999) {
    __margay_failed(22);
    return -1;
  }
  if (__margay_any_int())
    return 0;
  __margay_inexact();
  if (left)
    __margay_havoc(left, 2 * sizeof(long));
  __margay_failed(4);
  return -1;
}

double difftime(long later, long earlier) { return (double)later - (double)earlier; }

/* A time that no calendar has a year for gives null. */
static void *fill_parts(struct parts *result) {
  static const int most[9] = {60, 59, 23, 31, 11, 0x7fffffff, 6, 365, 1};
  __margay_inexact();
  if (!__margay_any_int()) {
    __margay_failed(75);
    return 0;
  }
  __margay_havoc(result, sizeof *result);
  for (int i = 0; i < 9; i++)
    __margay_assume((i == 5 || result->numbers[i] >= (i == 3)) && result->numbers[i] <= most[i]);
  result->zone = "UTC";
  return result;
}

/* The Gregorian calendar, with years that begin in March, so that leap days are last. Times that are not known may be any. */
static void *calendar(long time, struct parts *result) {
  if (!(int)__margay_is_known((double)time) || time > 2000000000000 || time < -60000000000)
    return fill_parts(result);
  static const int before[12] = {306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275};
  long days = time / 86400, second = time % 86400;
  if (second < 0) {
    second += 86400;
    days--;
  }
  long week_day = (days % 7 + 11) % 7, since = days + 719468, era = since / 146097, day = since % 146097;
  long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= 365 * year + year / 4 - year / 100;
  int month = (int)((5 * day + 2) / 153 + 2) % 12;
  year += 400 * era + (month < 2);
  int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  result->numbers[0] = (int)(second % 60);
  result->numbers[1] = (int)(second / 60 % 60);
  result->numbers[2] = (int)(second / 3600);
  result->numbers[3] = (int)(day - before[month]) + 1;
  result->numbers[4] = month;
  result->numbers[5] = (int)(year - 1900);
  result->numbers[6] = (int)week_day;
  result->numbers[7] = (int)(month < 2 ? day - 306 : day + 59 + is_leap);
  result->numbers[8] = 0;
  result->offset = 0;
  result->zone = "GMT";
  return result;
}

static struct parts shared_parts;

void *gmtime(const long *time) {
  look_at_time(time, sizeof *time);
  return calendar(*time, &shared_parts);
}

void *gmtime_r(const long *time, void *result) {
  look_at_time(time, sizeof *time);
  return calendar(*time, result);
}

/* The time zone is not known. */
void *localtime(const long *time) {
  look_at_time(time, sizeof *time);
  return fill_parts(&shared_parts);
}

void *localtime_r(const long *time, void *result) {
  look_at_time(time, sizeof *time);
  return fill_parts(result);
}

/* C says that there are 26 characters. */
static char *text(char *to) {
  __margay_inexact();
  if (!__margay_any_int())
    return 0;
  __margay_havoc(to, 24);
  for (int i = 0; i < 24; i++)
    __margay_assume(to[i] != 0 && to[i] != '\n');
  to[24] = '\n';
  to[25] = 0;
  return to;
}

static char shared_text[64];

char *asctime(const void *parts) {
  look_at_time(parts, 9 * sizeof(int));
  return text(shared_text);
}

char *asctime_r(const void *parts, char *to) {
  look_at_time(parts, 9 * sizeof(int));
  return text(to);
}

char *ctime(const long *time) {
  look_at_time(time, sizeof *time);
  return text(shared_text);
}

char *ctime_r(const long *time, char *to) {
  look_at_time(time, sizeof *time);
  return text(to);
}

size_t strftime(char *to, size_t max, const char *format, const void *parts) {
  __margay_inexact();
  strlen(format);
  look_at_time(parts, 9 * sizeof(int));
  size_t length = __margay_any_size();
  __margay_assume(length == 0 || length < max);
  __margay_havoc(to, max);
  if (length > 0)
    to[length] = 0;
  return length;
}

/* There is one clock, and C11 says that it has number 1. */
int timespec_get(long *result, int base) {
  if (base != 1)
    return 0;
  if (!__margay_any_int())
    return 0;
  __margay_havoc(result, 2 * sizeof(long));
  __margay_assume(result[1] >= 0 && result[1] < 1000000000);
  return base;
}

/* An error is told by its number. */
int clock_nanosleep(int clock, int flags, const void *wanted, void *left) {
  int result = nanosleep(wanted, left);
  if (result == 0)
    return 0;
  __margay_inexact();
  return __margay_any_int();
}
