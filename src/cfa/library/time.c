/* Clocks and calendars. Where a date is written as text or in parts, any text and any parts are taken. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_inexact(void);
int __margay_any_int(void);
long __margay_any_long(void);
size_t __margay_any_size(void);

/* As long as glibc's. */
struct parts {
  int numbers[9];
  long offset;
  const char *zone;
};

static void look_at(const void *p, size_t n) {
  void *seen = __builtin_alloca(n);
  memcpy(seen, p, n);
}

long time(long *result) {
  long now = __margay_any_long();
  if (result)
    *result = now;
  return now;
}

long clock(void) {
  long x = __margay_any_long();
  __margay_assume(x >= -1);
  return x;
}

int gettimeofday(void *result, void *zone) {
  if (result)
    __margay_havoc(result, 2 * sizeof(long));
  if (zone)
    __margay_havoc(zone, 2 * sizeof(int));
  return 0;
}

/* Unknown clocks make it fail; which ones are known is not told here. */
int clock_gettime(int clock, void *result) {
  if (!__margay_any_int()) {
    __margay_inexact();
    return -1;
  }
  __margay_havoc(result, 2 * sizeof(long));
  return 0;
}

int nanosleep(const void *wanted, void *left) {
  look_at(wanted, 2 * sizeof(long));
  if (__margay_any_int())
    return 0;
  __margay_inexact();
  if (left)
    __margay_havoc(left, 2 * sizeof(long));
  return -1;
}

double difftime(long later, long earlier) { return (double)later - (double)earlier; }

static void *fill(struct parts *result) {
  __margay_inexact();
  if (!__margay_any_int())
    return 0;
  __margay_havoc(result, sizeof *result);
  return result;
}

static struct parts shared_parts;

void *gmtime(const long *time) {
  look_at(time, sizeof *time);
  return fill(&shared_parts);
}

void *localtime(const long *time) { return gmtime(time); }

void *gmtime_r(const long *time, void *result) {
  look_at(time, sizeof *time);
  return fill(result);
}

void *localtime_r(const long *time, void *result) { return gmtime_r(time, result); }

/* C says that there are 26 characters. */
static char *text(char *to) {
  __margay_inexact();
  if (!__margay_any_int())
    return 0;
  __margay_havoc(to, 25);
  to[25] = 0;
  return to;
}

static char shared_text[64];

char *asctime(const void *parts) {
  look_at(parts, 9 * sizeof(int));
  return text(shared_text);
}

char *asctime_r(const void *parts, char *to) {
  look_at(parts, 9 * sizeof(int));
  return text(to);
}

char *ctime(const long *time) {
  look_at(time, sizeof *time);
  return text(shared_text);
}

char *ctime_r(const long *time, char *to) {
  look_at(time, sizeof *time);
  return text(to);
}

size_t strftime(char *to, size_t max, const char *format, const void *parts) {
  __margay_inexact();
  strlen(format);
  look_at(parts, 9 * sizeof(int));
  size_t length = __margay_any_size();
  __margay_assume(length == 0 || length < max);
  __margay_havoc(to, max);
  if (length < max)
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
