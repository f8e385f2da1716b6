#include "compare.h"
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Calls that fail, in part or as a whole: what they return, what they leave behind, and errno. */

static char a[40], c[80];
static wchar_t w[20];

/* What a call returns and says in errno, which no call that succeeds changes here. */
#define TELLS(call)                                                                                                  \
  do {                                                                                                               \
    errno = 99;                                                                                                      \
    long long result = (long long)(call);                                                                            \
    add(result);                                                                                                     \
    add(errno);                                                                                                      \
  } while (0)
/* The same of a pointer that is null or leads into `base`. */
#define LEADS(call, base)                                                                                            \
  do {                                                                                                               \
    errno = 99;                                                                                                      \
    char *result = (char *)(call);                                                                                   \
    add(result ? (long)(result - (char *)(base)) : -1L);                                                             \
    add(errno);                                                                                                      \
  } while (0)
#define IS_NULL(call)                                                                                                \
  do {                                                                                                               \
    errno = 99;                                                                                                      \
    void *result = (void *)(call);                                                                                   \
    add(result == 0);                                                                                                \
    add(errno);                                                                                                      \
  } while (0)

static const char *odd_number(void) {
  static const char *const texts[] = {"", "  ", "x", "-", "+", "0x", "0xg", "99999999999999999999", "-99999999999999999999",
                                      "2147483648", "-2147483649", "4294967296", "18446744073709551616", "12z", "-1"};
  return texts[below(15)];
}

static const char *odd_real(void) {
  static const char *const texts[] = {"", ".", "2.5e1x", " -.5", "1.", "3e", "0x1.8p1", "0xg", "inf", "1e999", "-1e-999", "0.1",
                                      "-1e-310", "123456789012345678901234567890", "+7e-2", "infinit",
                                      "0x1p-1074", "0x1.8p-1074"};
  return texts[below(18)];
}

static const char *reals(void) {
  static const char *const lines[] = {"", "1.5 2", "x", " -2.5e3,", ".5.5", "7", "1e999 1", "- 1", "0.1"};
  return lines[below(9)];
}

static int odd_base(void) {
  static const int bases[] = {0, 1, 2, 10, 16, 36, 37, -1};
  return bases[below(8)];
}

static void scanned(int n, const int *numbers) {
  add(n);
  bytes(numbers, 3 * sizeof *numbers);
  bytes(c, 24);
}

#define SCANNED(text, format, ...)                                                                                   \
  do {                                                                                                               \
    int n[3] = {-7, -8, -9};                                                                                         \
    memset(c, '#', sizeof c);                                                                                        \
    scanned(sscanf(text, format, __VA_ARGS__), n);                                                                   \
  } while (0)

static const char *line(void) {
  static const char *const lines[] = {"", " ", "12", "12 ", "ab", "12 ab", "ab 12", "abcdefgh 3", "-5,6", "7,,8", "1 2 3", "\n4", "+"};
  return lines[below(13)];
}

static int no_descriptor(void) { return -1 - (int)below(9); }

static int ints(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }

static int odd_signal(void) {
  static const int signals[] = {0, -1, 1, SIGKILL, SIGSTOP, 64, 65, 1000};
  return signals[below(8)];
}

int main(void) {
  /* Numbers in texts. */
  COMPARE(strtol, char *end = a; const char *t = odd_number(); TELLS(strtol(t, &end, 10)); add(end - t));
  COMPARE(strtol_base, char *end = a; const char *t = odd_number(); TELLS(strtol(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtoul, char *end = a; const char *t = odd_number(); TELLS(strtoul(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtoll, char *end = a; const char *t = odd_number(); TELLS(strtoll(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtoull, char *end = a; const char *t = odd_number(); TELLS(strtoull(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtoimax, char *end = a; const char *t = odd_number(); TELLS(strtoimax(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtoumax, char *end = a; const char *t = odd_number(); TELLS(strtoumax(t, &end, odd_base())); add(end == a ? -1 : end - t));
  COMPARE(strtod, char *end = a; const char *t = odd_real(); errno = 99; double r = strtod(t, &end); bytes(&r, sizeof r); add(end - t); add(errno));
  COMPARE(strtof, char *end = a; const char *t = odd_real(); float r = strtof(t, &end); bytes(&r, sizeof r); add(end - t));
  COMPARE(atof, double r = atof(odd_real()); bytes(&r, sizeof r));
  COMPARE(atoi, add(atoi("")); add(atoi("x")); add(atoi(" -12z")));
  /* Blocks. */
  COMPARE(calloc, IS_NULL(calloc(SIZE_MAX / 2, 3 + below(5))));
  COMPARE(reallocarray, char *p = malloc(4); memset(p, 'k', 4); IS_NULL(reallocarray(p, SIZE_MAX / 2, 3 + below(5))); bytes(p, 4); free(p));
  COMPARE(posix_memalign, void *p = a; size_t align = (size_t)below(20); TELLS(posix_memalign(&p, align, 8)); add(p == a); if (p != a) free(p));
  COMPARE(free_null, errno = 99; free(0); add(errno));
  /* Texts. */
  COMPARE(strtok_end, strcpy(a, "--"); LEADS(strtok(a, "-"), a); LEADS(strtok(0, "-"), a));
  COMPARE(strsep_null, char *s = 0; LEADS(strsep(&s, "-"), a));
  COMPARE(memccpy_absent, word(a, 12); memset(c, '#', 20); LEADS(memccpy(c, a, 'q', below(12)), c); bytes(c, 20));
  COMPARE(memchr_absent, word(a, 12); LEADS(memchr(a, 'q', below(12)), a));
  COMPARE(strstr_absent, word(a, 12); LEADS(strstr(a, "qq"), a); LEADS(strstr(a, ""), a));
  COMPARE(memmem_empty, word(a, 12); LEADS(memmem(a, below(4), "", 0), a); LEADS(memmem(a, 1, "abc", 3), a));
  COMPARE(strncpy_cut, word(a, 12); memset(c, '#', 20); LEADS(strncpy(c, a, below(5)), c); bytes(c, 20));
  COMPARE(strncat_nothing, strcpy(c, "x"); LEADS(strncat(c, a, 0), c); bytes(c, 2));
  COMPARE(strnlen_unended, memset(c, 'x', sizeof c); add((long)strnlen(c, below(20))));
  COMPARE(lfind_absent, int n[3] = {1, 3, 5}; int key = (int)below(7); size_t many = 3; LEADS(lfind(&key, n, &many, sizeof key, ints), n));
  COMPARE(bsearch_absent, int n[3] = {1, 3, 5}; int key = (int)below(7); LEADS(bsearch(&key, n, 3, sizeof key, ints), n));
  COMPARE(mbtowc, TELLS(mbtowc(w, "", 1)); TELLS(mbtowc(0, 0, 0)); TELLS(mbtowc(w, "a", 0)));
  COMPARE(mbrtowc, mbstate_t s; memset(&s, 0, sizeof s); TELLS((ssize_t)mbrtowc(w, "ab", below(3), &s)); TELLS((ssize_t)mbrtowc(w, "", 1, &s)));
  COMPARE(wctomb, TELLS(wctomb(c, (wchar_t)below(128))); TELLS(wctomb(c, 0x12345)); TELLS(wctomb(0, 0)));
  COMPARE(wcstombs, w[0] = 'a'; w[1] = (wchar_t)(below(2) ? 0x12345 : 'b'); w[2] = 0; memset(c, '#', 8); TELLS((ssize_t)wcstombs(c, w, below(5))); bytes(c, 1));
  COMPARE(mbstowcs_cut, w[0] = w[1] = w[2] = '#'; TELLS((ssize_t)mbstowcs(w, "ab", below(4))); add(w[0]); add(w[2]));
  COMPARE(snprintf_cut, memset(c, '#', 20); TELLS(snprintf(c, below(5), "%d", 1234567)); bytes(c, 20));
  COMPARE(snprintf_nothing, TELLS(snprintf(0, 0, "%s-%5d", "abc", (int)below(1000))));
  /* Conversions that fail. */
  COMPARE(scanf_number, SCANNED(line(), "%d", n));
  COMPARE(scanf_two, SCANNED(line(), "%d%d", n, n + 1));
  COMPARE(scanf_comma, SCANNED(line(), "%d,%d", n, n + 1));
  COMPARE(scanf_width, SCANNED(line(), "%4s", c));
  COMPARE(scanf_number_width, SCANNED(line(), "%1d%1d%d", n, n + 1, n + 2));
  COMPARE(scanf_set, SCANNED(line(), "%5[a-z]", c));
  COMPARE(scanf_other_set, SCANNED(line(), "%[^,]%n", c, n));
  COMPARE(scanf_char, SCANNED(line(), "%3c", c));
  COMPARE(scanf_skip, SCANNED(line(), "%*s%d", n));
  COMPARE(scanf_count, SCANNED(line(), "%d%n", n, n + 1));
  COMPARE(scanf_text_and_number, SCANNED(line(), "%s %d", c, n));
  COMPARE(scanf_real, double r = -7; add(sscanf(reals(), "%lf", &r)); bytes(&r, sizeof r));
  COMPARE(scanf_reals, float r = -7; float s = -8; add(sscanf(reals(), "%f%f", &r, &s)); bytes(&r, sizeof r); bytes(&s, sizeof s));
  COMPARE(scanf_real_width, double r = -7; memset(c, '#', 24); add(sscanf(reals(), "%3lf%s", &r, c)); bytes(&r, sizeof r); bytes(c, 24));
  COMPARE(scanf_short, SCANNED(line(), "%hd", (short *)n));
  COMPARE(scanf_char_sized, SCANNED(line(), "%hhd", (signed char *)n));
  COMPARE(scanf_percent, SCANNED(line(), "%%%d", n));
  /* The environment. */
  COMPARE(setenv, TELLS(setenv("", "x", 1)); TELLS(setenv("a=b", "x", 1)); TELLS(setenv("AA", "x", (int)below(2))); add(getenv("AA") != 0));
  COMPARE(setenv_keeps, setenv("AA", "one", 1); TELLS(setenv("AA", "two", 0)); add(strcmp(getenv("AA"), "one")));
  COMPARE(unsetenv, setenv("AA", "x", 1); TELLS(unsetenv("AA")); TELLS(unsetenv("AA")); TELLS(unsetenv("")); TELLS(unsetenv("A=")); add(getenv("AA") == 0));
  /* Descriptors and signals. */
  COMPARE(close, TELLS(close(no_descriptor())));
  COMPARE(read, TELLS(read(no_descriptor(), a, 4)));
  COMPARE(write, TELLS(write(no_descriptor(), "x", 1)));
  COMPARE(lseek, TELLS(lseek(no_descriptor(), 0, SEEK_SET)));
  COMPARE(dup, TELLS(dup(no_descriptor())));
  COMPARE(dup2, TELLS(dup2(no_descriptor(), 7)));
  COMPARE(fsync, TELLS(fsync(no_descriptor())));
  COMPARE(fcntl, TELLS(fcntl(no_descriptor(), F_GETFL)));
  COMPARE(isatty, TELLS(isatty(no_descriptor())));
  COMPARE(signal, TELLS((long)signal(odd_signal(), SIG_DFL) == -1));
  COMPARE(sigaddset, sigset_t s; sigemptyset(&s); int n = odd_signal(); TELLS(sigaddset(&s, n)); TELLS(sigismember(&s, n)));
  COMPARE(sigdelset, sigset_t s; sigfillset(&s); int n = odd_signal(); TELLS(sigdelset(&s, n)); TELLS(sigismember(&s, n)));
  COMPARE(sigprocmask, sigset_t s; sigemptyset(&s); TELLS(sigprocmask(7, &s, 0)); TELLS(sigprocmask(7, 0, 0)));
  COMPARE(raise, TELLS(raise(below(2) ? -1 : 1000)); TELLS(raise(0)));
  COMPARE(sysconf, TELLS(sysconf(-1)); TELLS(sysconf(_SC_PAGESIZE)));
  COMPARE(getcwd, IS_NULL(getcwd(c, 1)); IS_NULL(getcwd(c, 0)));
  COMPARE(umask, umask((mode_t)below(512)); add(umask(18)); add(umask(18)));
  COMPARE(realpath, IS_NULL(realpath(0, c)); IS_NULL(realpath("", c)));
  COMPARE(unlink, TELLS(unlink("")));
  COMPARE(open, TELLS(open("", O_RDONLY)));
  COMPARE(fopen, IS_NULL(fopen("", "r")); IS_NULL(fopen("x", "q")));
  COMPARE(access, TELLS(access("", F_OK)));
  /* Time. */
  COMPARE(clock_gettime, struct timespec t; TELLS(clock_gettime(100 + (int)below(9), &t)));
  COMPARE(nanosleep, struct timespec t; t.tv_sec = 0; t.tv_nsec = below(2) ? 1000000000 : -1; TELLS(nanosleep(&t, 0)));
  COMPARE(gmtime, struct tm t; time_t n = (time_t)(number() >> 26); struct tm *r = gmtime_r(&n, &t); add(r == &t); add(r ? t.tm_year : 0));
  /* Numbers. */
  COMPARE(sqrt_negative, errno = 99; double r = sqrt(-1.0 - below(9)); add(r != r); add(errno));
  COMPARE(fmod_zero, errno = 99; double r = fmod(1.0 + below(9), 0.0); add(r != r); add(errno));
  COMPARE(ldexp_large, errno = 99; double r = ldexp(1.0 + below(9), 2000); add(r > 1e308); add(errno));
  COMPARE(log_zero, errno = 99; double r = log(0.0); add(r < -1e308); add(errno));
  COMPARE(log_negative, errno = 99; double r = log(-1.0 - below(9)); add(r != r); add(errno));
  COMPARE(exp_large, errno = 99; double r = exp(1000.0 + below(9)); add(r > 1e308); add(errno));
  COMPARE(pow_zero, errno = 99; double r = pow(0.0, -1.0 - below(9)); add(r > 1e308); add(errno));
  COMPARE(acos_beyond, errno = 99; double r = acos(2.0 + below(9)); add(r != r); add(errno));
  COMPARE(fesetround, TELLS(fesetround(12345)); TELLS(fegetround()));
  COMPARE(abs, add(abs(-(int)below(9))); add(labs(-(long)below(9))));
  return 0;
}
