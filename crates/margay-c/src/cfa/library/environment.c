/* The floating-point environment, signals and jumps out of functions, as far as they do not change what a program computes: rounding
   stays to nearest, no handler is followed, no jump is made. */

void abort(void);
void *memset(void *to, int c, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
int __margay_any_int(void);
void __margay_failed(int number);

int fegetround(void) { return 0; }

int fesetround(int mode) {
  if (mode == 0x400 || mode == 0x800 || mode == 0xc00)
    __margay_give_up();
  return mode != 0;
}

static int success_or_not(void) {
  __margay_inexact();
  return __margay_any_int();
}

/* Which exceptions were raised is not told. */
int feclearexcept(int which) { return success_or_not(); }
int feraiseexcept(int which) { return success_or_not(); }
int fesetexceptflag(const unsigned short *flags, int which) { return success_or_not(); }
int fetestexcept(int which) { return success_or_not() & which; }

int fegetexceptflag(unsigned short *flags, int which) {
  __margay_havoc(flags, sizeof *flags);
  return success_or_not();
}

struct environment { unsigned int words[sizeof(long) == 8 ? 8 : 7]; };

/* An environment that was read says that nothing was changed. */
int fegetenv(struct environment *to) {
  memset(to, 0, sizeof *to);
  return success_or_not();
}

int feholdexcept(struct environment *to) { return fegetenv(to); }

int fesetenv(const struct environment *from) {
  if (from != (const struct environment *)-1)
    for (unsigned int i = 0; i < sizeof from->words / sizeof from->words[0]; i++)
      if (from->words[i])
        __margay_give_up();
  return success_or_not();
}

int feupdateenv(const struct environment *from) { return fesetenv(from); }

/* Signals: sets of them are exact; what they do is what they do by default. */

typedef struct { unsigned long words[128 / sizeof(long)]; } signals;

static int is_signal(int number) { return number > 0 && number < 65; }

/* Two of them are the C library's own. */
static int may_be_named(int number) {
  if (is_signal(number) && number != 32 && number != 33)
    return 1;
  __margay_failed(22);
  return 0;
}

static unsigned long bit(int number) { return 1UL << (unsigned)(number - 1) % (8 * sizeof(long)); }
static unsigned long *word(signals *set, int number) { return &set->words[(unsigned)(number - 1) / (8 * sizeof(long))]; }

int sigemptyset(signals *set) {
  memset(set, 0, sizeof *set);
  return 0;
}

/* Two signals of the C library's own stay out. */
int sigfillset(signals *set) {
  memset(set, 0xff, sizeof *set);
  *word(set, 32) &= ~bit(32);
  *word(set, 33) &= ~bit(33);
  return 0;
}

int sigaddset(signals *set, int number) {
  if (!may_be_named(number))
    return -1;
  *word(set, number) |= bit(number);
  return 0;
}

int sigdelset(signals *set, int number) {
  if (!may_be_named(number))
    return -1;
  *word(set, number) &= ~bit(number);
  return 0;
}

int sigismember(const signals *set, int number) {
  if (!may_be_named(number))
    return -1;
  return (*word((signals *)set, number) & bit(number)) != 0;
}

static int done_or_not(void) { return -(__margay_any_int() & 1); }

/* Whether the program has said that signals wait; which ones is not kept. */
static unsigned char is_blocked;

/* Where it is wanted, the state before is told, which nobody here knows. */
static int replaced_signals(void *old, size_t size) {
  if (old) {
    __margay_inexact();
    __margay_havoc(old, size);
  }
  __margay_inexact();
  return done_or_not();
}

int sigprocmask(int how, const signals *set, signals *old) {
  signals seen;
  if (set && (how < 0 || how > 2)) {
    __margay_failed(22);
    return -1;
  }
  if (!set && !old)
    return 0;
  if (set) {
    seen = *set;
    is_blocked = 1;
  }
  return replaced_signals(old, sizeof *old);
}

int pthread_sigmask(int how, const signals *set, signals *old) {
  return set && (how < 0 || how > 2) ? 22 : -sigprocmask(how, set, old);
}

int sigpending(signals *set) {
  __margay_inexact();
  __margay_havoc(set, sizeof *set);
  return done_or_not();
}

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

/* What the program does about each signal: what it does by default (0), nothing (1), or a function. Signals that the program
   raises itself run it at once; none comes from outside. */
typedef void (*reaction)(int);
static reaction reactions[65];
static unsigned char is_reacting[65];

/* Signals that come from what the program does otherwise are not followed: a trap, the end by `abort`, a closed pipe, a clock, a
   child. */
static int is_foreign(int number) {
  return number == 4 || number == 5 || number == 6 || number == 7 || number == 8 || number == 11 || number == 13 || number == 14 ||
         (number >= 17 && number <= 31);
}

static int can_react(int number) {
  if (number == 9 || number == 19)
    __margay_failed(22);
  return number != 9 && number != 19 && may_be_named(number);
}

reaction signal(int number, reaction next) {
  if (!can_react(number))
    return (reaction)-1;
  if ((size_t)next > 1 && is_foreign(number))
    __margay_give_up();
  reaction last = reactions[number];
  reactions[number] = next;
  return last;
}

/* By default a signal ends the program, but for those that say that something has happened. */
int raise(int number) {
  if (number == 0)
    return 0;
  if (!is_signal(number)) {
    __margay_failed(22);
    return -1;
  }
  reaction next = reactions[number];
  if (is_blocked || is_reacting[number])
    __margay_give_up();
  if ((size_t)next == 1)
    return 0;
  if ((size_t)next == 0) {
    if (number == 17 || number == 18 || number == 23 || number == 28)
      return 0;
    if (number >= 19 && number <= 22)
      __margay_give_up();
    abort();
  }
  is_reacting[number] = 1;
  next(number);
  is_reacting[number] = 0;
  return 0;
}

struct action {
  reaction handler;
  unsigned long words[sizeof(long) == 8 ? 18 : 34];
};

/* A handler of another type, or one that is taken away when it is called, is not followed. */
int sigaction(int number, const struct action *act, struct action *old) {
  struct action seen;
  if (act)
    seen = *act;
  if (!can_react(number))
    return -1;
  reaction last = reactions[number];
  if (act) {
    unsigned int flags = (unsigned int)seen.words[sizeof(long) == 8 ? 16 : 32];
    if ((size_t)seen.handler > 1 && (is_foreign(number) || (flags & 0x80000004)))
      __margay_give_up();
    reactions[number] = seen.handler;
  }
  if (old) {
    __margay_havoc(old, sizeof *old);
    old->handler = last;
  }
  return 0;
}

/* A jump that is on its way goes to the place that `setjmp` noted: calls return one after another until it is reached. The function
   with the place must still be active, as an access to the place shows. */

struct jump { char *place; unsigned long words[sizeof(long) == 8 ? 24 : 38]; };

char *jump_place;
int jump_value;

void jump_to(char *place) {
  char seen = *place;
  jump_place = place;
}

void longjmp(struct jump *to, int value) {
  jump_to(to->place);
  jump_value = value ? value : 1;
}

void _longjmp(struct jump *to, int value) { longjmp(to, value); }
void siglongjmp(struct jump *to, int value) { longjmp(to, value); }
