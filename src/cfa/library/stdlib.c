/* Sorting, numbers from strings, arithmetic, the end of the program, the environment. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_inexact(void);
long __margay_number_long(const char *s, int base);
long long __margay_number_longlong(const char *s, int base);
unsigned long __margay_number_ulong(const char *s, int base);
unsigned long long __margay_number_ulonglong(const char *s, int base);
size_t __margay_number_length(const char *s, int base);
void abort(void);
void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function);
int __margay_any_int(void);
unsigned int __margay_any_uint(void);
long __margay_any_long(void);
unsigned long __margay_any_ulong(void);
long long __margay_any_longlong(void);
unsigned long long __margay_any_ulonglong(void);
size_t __margay_any_size(void);
float __margay_any_float(void);
double __margay_any_double(void);
long double __margay_any_longdouble(void);

/* C leaves open which elements are compared, how often and in which order, so a comparison function must be right for any
   pair. One that keeps no record of its calls comes back to the same state, and the loop ends for the analysis. */
static void compare_any(char *elements, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  while (__margay_any_int()) {
    size_t left = __margay_any_size(), right = __margay_any_size();
    if (left < count && right < count && left != right)
      compare(elements + left * size, elements + right * size);
  }
}

/* Insertion sort: the comparison sees elements in place, as with any sorting. Of equal elements either may come first. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *elements = base;
  void *spare = __builtin_alloca(size);
  compare_any(elements, count, size, compare);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      char *left = elements + (j - 1) * size, *right = elements + j * size;
      int order = compare(left, right);
      if (order < 0 || (order == 0 && !__margay_any_int()))
        break;
      memcpy(spare, left, size);
      memcpy(left, right, size);
      memcpy(right, spare, size);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *elements = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = elements + middle * size;
    int order = compare(key, element);
    if (order == 0)
      return (void *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

static void (*exit_handlers[32])(void);
static int exit_handler_count;

int atexit(void (*handler)(void)) {
  if (exit_handler_count == 32)
    return 1;
  exit_handlers[exit_handler_count++] = handler;
  return 0;
}

void run_exit_handlers(void) {
  while (exit_handler_count > 0)
    exit_handlers[--exit_handler_count]();
}

/* Numbers from strings. To a proof they are any numbers, which may end anywhere in the string; a run computes them. */

static void check_string(const char *s) { strlen(s); }

static void set_end(const char *s, char **end, int base) {
  size_t used = __margay_number_length(s, base), length = strlen(s);
  __margay_assume(used <= length);
  if (end)
    *end = (char *)s + used;
}

int atoi(const char *s) {
  long value = __margay_number_long(s, 10);
  check_string(s);
  return (int)value;
}

long atol(const char *s) {
  long value = __margay_number_long(s, 10);
  check_string(s);
  return value;
}

long long atoll(const char *s) {
  long long value = __margay_number_longlong(s, 10);
  check_string(s);
  return value;
}

/* Of floating-point numbers not even a run knows more. */
static void any_number(const char *s, char **end) {
  __margay_inexact();
  size_t length = strlen(s);
  if (end) {
    size_t used = __margay_any_size();
    __margay_assume(used <= length);
    *end = (char *)s + used;
  }
}

double atof(const char *s) {
  any_number(s, 0);
  return __margay_any_double();
}

long strtol(const char *s, char **end, int base) {
  long value = __margay_number_long(s, base);
  set_end(s, end, base);
  return value;
}

unsigned long strtoul(const char *s, char **end, int base) {
  unsigned long value = __margay_number_ulong(s, base);
  set_end(s, end, base);
  return value;
}

long long strtoll(const char *s, char **end, int base) {
  long long value = __margay_number_longlong(s, base);
  set_end(s, end, base);
  return value;
}

unsigned long long strtoull(const char *s, char **end, int base) {
  unsigned long long value = __margay_number_ulonglong(s, base);
  set_end(s, end, base);
  return value;
}

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

float strtof(const char *s, char **end) {
  any_number(s, end);
  return __margay_any_float();
}

double strtod(const char *s, char **end) {
  any_number(s, end);
  return __margay_any_double();
}

long double strtold(const char *s, char **end) {
  any_number(s, end);
  return __margay_any_longdouble();
}

int abs(int x) { return x < 0 ? -x : x; }

long labs(long x) { return x < 0 ? -x : x; }

long long llabs(long long x) { return x < 0 ? -x : x; }

long long imaxabs(long long x) { return llabs(x); }

typedef struct { int quotient, rest; } int_division;
typedef struct { long quotient, rest; } long_division;
typedef struct { long long quotient, rest; } long_long_division;

int_division div(int x, int y) { return (int_division){x / y, x % y}; }

long_division ldiv(long x, long y) { return (long_division){x / y, x % y}; }

long_long_division lldiv(long long x, long long y) { return (long_long_division){x / y, x % y}; }

long_long_division imaxdiv(long long x, long long y) { return lldiv(x, y); }

int rand(void) {
  int x = __margay_any_int();
  __margay_assume(x >= 0);
  return x;
}

long random(void) {
  int x = __margay_any_int();
  __margay_assume(x >= 0);
  return x;
}

int rand_r(unsigned int *seed) {
  *seed = __margay_any_uint();
  return rand();
}

/* Null, or any string of the environment; no longer one reaches a program on Linux. */
char *getenv(const char *name) {
  static char environment[131072];
  strlen(name);
  if (__margay_any_int())
    return 0;
  __margay_havoc(environment, sizeof environment - 1);
  environment[sizeof environment - 1] = 0;
  return environment;
}

char *secure_getenv(const char *name) { return getenv(name); }

/* Headers make it a macro; where none is there, the argument has the type it has. */
void assert(long long condition) {
  if (!condition)
    __assert_fail(0, 0, 0, 0);
}

/* Linear search, and one that adds what it does not find. */
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  const char *elements = base;
  for (size_t i = 0; i < *count; i++)
    if (compare(key, elements + i * size) == 0)
      return (void *)(elements + i * size);
  return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  void *found = lfind(key, base, count, size, compare);
  if (found)
    return found;
  char *end = (char *)base + *count * size;
  memcpy(end, key, size);
  ++*count;
  return end;
}

/* The state changes in ways that are not told. */
static void next_state(unsigned short state[3]) {
  __margay_inexact();
  __margay_havoc(state, 3 * sizeof(unsigned short));
}

long nrand48(unsigned short state[3]) {
  next_state(state);
  return __margay_any_int() & 0x7fffffff;
}

long jrand48(unsigned short state[3]) {
  next_state(state);
  return __margay_any_int();
}

double erand48(unsigned short state[3]) {
  next_state(state);
  double x = __margay_any_double();
  __margay_assume(x >= 0 && x < 1);
  return x;
}
