/* Sorting, numbers from strings, arithmetic, the end of the program, the environment. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_inexact(void);
void __margay_give_up(void);
void __margay_failed(int number);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);
long __margay_number_beyond_long(const char *s, int base);
long long __margay_number_beyond_longlong(const char *s, int base);
unsigned long __margay_number_beyond_ulong(const char *s, int base);
unsigned long long __margay_number_beyond_ulonglong(const char *s, int base);
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

/* One `errno` for the whole program. Models store what POSIX says through `__margay_failed`, which does nothing in programs that
   cannot see it; 0 stands for any number of an error. Nothing sets it back to zero. */
int errno;

int *__errno_location(void) { return &errno; }
int *__error(void) { return &errno; }

/* Errors that calls of the system fail with now and then: not found, interrupted, no input or output, try again, no memory, not
   allowed. Whether one fails with any other is not known here. */
static int is_usual(int number) {
  return number == 2 || number == 4 || number == 5 || number == 11 || number == 12 || number == 13;
}

void failed(int number) {
  if (number == 0) {
    number = __margay_any_int();
    __margay_assume(number > 0 && number < 134);
    if (!is_usual(number))
      __margay_inexact();
  }
  errno = number;
}

void may_have_failed(void) {
  if (__margay_any_int()) {
    __margay_inexact();
    failed(0);
  }
}

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

static void (*exit_handlers[256])(void);
static int exit_handler_count;

int atexit(void (*handler)(void)) {
  if (exit_handler_count == 256)
    __margay_give_up();
  exit_handlers[exit_handler_count++] = handler;
  return 0;
}

void run_exit_handlers(void) {
  while (exit_handler_count > 0)
    exit_handlers[--exit_handler_count]();
}

/* Numbers from strings. To a proof they are any numbers, which may end anywhere in the string; a run computes them. */

static void check_string(const char *s) { strlen(s); }

/* Whether there can be a number. */
static int set_end(const char *s, char **end, int base) {
  if (base < 0 || base == 1 || base > 36) {
    __margay_failed(22);
    return 0;
  }
  size_t used = __margay_number_length(s, base), length = strlen(s);
  __margay_assume(used <= length);
  if (end)
    *end = (char *)s + used;
  return used > 0;
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

/* Of long floating-point numbers not even a run knows more. */
static void any_number(const char *s, char **end) {
  __margay_inexact();
  size_t length = strlen(s);
  if (end) {
    size_t used = __margay_any_size();
    __margay_assume(used <= length);
    *end = (char *)s + used;
  }
}

double __margay_real(const char *s);
float __margay_realf(const char *s);
size_t __margay_real_length(const char *s);
int __margay_real_beyond(const char *s);

/* Where the number ends; 0 where there is none. */
static size_t real_end(const char *s, char **end) {
  size_t used = __margay_real_length(s);
  __margay_assume(used <= strlen(s));
  if (end)
    *end = (char *)s + used;
  return used;
}

static int is_extreme(double x) { return x - x != 0 || (x < 2.2250738585072014e-308 && x > -2.2250738585072014e-308); }

double strtod(const char *s, char **end) {
  if (real_end(s, end) == 0)
    return 0;
  double value = __margay_real(s);
  if (is_extreme(value) && __margay_real_beyond(s))
    __margay_failed(34);
  return value;
}

float strtof(const char *s, char **end) {
  if (real_end(s, end) == 0)
    return 0;
  float value = __margay_realf(s);
  if (value - value != 0 || (value < 1.1754943508222875e-38f && value > -1.1754943508222875e-38f))
    may_have_failed();
  return value;
}

double atof(const char *s) { return strtod(s, 0); }

long strtol(const char *s, char **end, int base) {
  long value = __margay_number_long(s, base);
  if (set_end(s, end, base) && (value == ~(~0UL >> 1) || value == (long)(~0UL >> 1)) && __margay_number_beyond_long(s, base))
    __margay_failed(34);
  return value;
}

unsigned long strtoul(const char *s, char **end, int base) {
  unsigned long value = __margay_number_ulong(s, base);
  if (set_end(s, end, base) && value == ~0UL && __margay_number_beyond_ulong(s, base))
    __margay_failed(34);
  return value;
}

long long strtoll(const char *s, char **end, int base) {
  long long value = __margay_number_longlong(s, base);
  if (set_end(s, end, base) && (value == ~(~0ULL >> 1) || value == (long long)(~0ULL >> 1)) && __margay_number_beyond_longlong(s, base))
    __margay_failed(34);
  return value;
}

unsigned long long strtoull(const char *s, char **end, int base) {
  unsigned long long value = __margay_number_ulonglong(s, base);
  if (set_end(s, end, base) && value == ~0ULL && __margay_number_beyond_ulonglong(s, base))
    __margay_failed(34);
  return value;
}

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

long double strtold(const char *s, char **end) {
  any_number(s, end);
  may_have_failed();
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

/* The numbers after equal seeds are equal. The first one after the last seed is kept; what follows it after the same seed again is
   not known to be the same here. */
static struct { unsigned char seeded, has_first, again, beyond; unsigned int seed; int first; } sequence;

void srand(unsigned int seed) {
  if (sequence.seeded && sequence.seed == seed)
    sequence.again = sequence.has_first;
  else {
    if (sequence.seeded)
      sequence.beyond = 1;
    sequence.again = sequence.has_first = 0;
    sequence.seed = seed;
  }
  sequence.seeded = 1;
}

void srandom(unsigned int seed) { srand(seed); }

int rand(void) {
  if (sequence.again == 1) {
    sequence.again = 2;
    return sequence.first;
  }
  if (sequence.again == 2 || sequence.beyond)
    __margay_inexact();
  int x = __margay_any_int();
  __margay_assume(x >= 0);
  if (sequence.seeded && !sequence.has_first) {
    sequence.has_first = 1;
    sequence.first = x;
  }
  return x;
}

long random(void) { return rand(); }

/* The next number depends on the seed alone, in a way that is not computed here. */
int rand_r(unsigned int *seed) {
  static struct { unsigned char known; unsigned int seed, next; int result; } last;
  if (last.known && last.seed == *seed) {
    *seed = last.next;
    return last.result;
  }
  if (last.known)
    __margay_inexact();
  last.known = 1;
  last.seed = *seed;
  last.next = __margay_any_uint();
  last.result = __margay_any_int();
  __margay_assume(last.result >= 0);
  *seed = last.next;
  return last.result;
}

/* The environment: variables that the program asked for or set, each with a text of its own; no longer one reaches a program on
   Linux. A variable nobody has asked for yet has any value, or none. */
static char texts[4][131072];
static struct { char name[64], used, *value; } variables[4];

static int variable(const char *name) {
  size_t length = strlen(name);
  if (length >= 64)
    __margay_give_up();
  for (int i = 0; i < 4; i++) {
    if (!variables[i].used) {
      variables[i].used = 1;
      strcpy(variables[i].name, name);
      if (__margay_any_int()) {
        variables[i].value = texts[i];
        __margay_havoc(texts[i], sizeof texts[i] - 1);
      }
      return i;
    }
    if (strcmp(variables[i].name, name) == 0)
      return i;
  }
  __margay_give_up();
  return 0;
}

char *getenv(const char *name) { return variables[variable(name)].value; }

char *secure_getenv(const char *name) { return getenv(name); }

/* A name is not empty and has no `=`. */
static int is_name(const char *name) {
  if (!name[0])
    return 0;
  for (size_t i = 0; name[i]; i++)
    if (name[i] == '=')
      return 0;
  return 1;
}

int setenv(const char *name, const char *value, int replace) {
  size_t length = strlen(value);
  if (!is_name(name)) {
    __margay_failed(22);
    return -1;
  }
  int i = variable(name);
  if (variables[i].value && !replace)
    return 0;
  if (length >= sizeof texts[i])
    __margay_give_up();
  memcpy(texts[i], value, length + 1);
  variables[i].value = texts[i];
  return 0;
}

/* The text itself becomes part of the environment. Without `=` it says which variable goes. */
int putenv(char *text) {
  char name[64];
  size_t n = 0;
  while (text[n] && text[n] != '=') {
    if (n == sizeof name - 1)
      __margay_give_up();
    name[n] = text[n];
    n++;
  }
  name[n] = 0;
  if (n == 0) {
    __margay_failed(22);
    return -1;
  }
  variables[variable(name)].value = text[n] ? text + n + 1 : 0;
  return 0;
}

int unsetenv(const char *name) {
  if (!is_name(name)) {
    __margay_failed(22);
    return -1;
  }
  variables[variable(name)].value = 0;
  return 0;
}

/* What has not been asked for yet is gone, too: that is not kept. */
int clearenv(void) {
  __margay_give_up();
  return 0;
}

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

/* Without a command, whether there is a shell. */
int system(const char *command) {
  int status = __margay_any_int();
  if (!command)
    return status;
  strlen(command);
  __margay_inexact();
  if (status == -1)
    __margay_failed(0);
  return status;
}
