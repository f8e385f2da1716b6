/* Files and processes as far as one program sees them: what comes back, and which memory is looked at. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
int __margay_any_int(void);
unsigned int __margay_any_uint(void);
long __margay_any_long(void);
long long __margay_any_longlong(void);

static int success_or_error(void) { return -(__margay_any_int() & 1); }

static int number_or_error(void) {
  int x = __margay_any_int();
  __margay_assume(x >= -1);
  return x;
}

static int positive(void) {
  int x = __margay_any_int();
  __margay_assume(x > 0);
  return x;
}

static int named(const char *name) {
  strlen(name);
  return success_or_error();
}

static void look_at(const void *p, size_t n) {
  if (n > 0) {
    void *seen = __builtin_alloca(n);
    memcpy(seen, p, n);
  }
}

int open(const char *name, int flags) {
  strlen(name);
  return number_or_error();
}

int open64(const char *name, int flags) { return open(name, flags); }
int creat(const char *name, unsigned int mode) { return open(name, 0); }
int dup(int file) { return number_or_error(); }
int dup2(int file, int other) { return __margay_any_int() ? other : -1; }

/* The caller's off_t may be shorter than what a file's length takes. */
long long lseek(int file, long long offset, int from) {
  long long x = __margay_any_longlong();
  __margay_assume(x >= -1);
  if (x > 0x7fffffffLL && sizeof(long) < 8)
    __margay_inexact();
  return x;
}

int fsync(int file) { return success_or_error(); }
int fdatasync(int file) { return success_or_error(); }
int isatty(int file) { return __margay_any_int() & 1; }
int unlink(const char *name) { return named(name); }
int remove(const char *name) { return named(name); }
int rmdir(const char *name) { return named(name); }
int mkdir(const char *name, unsigned int mode) { return named(name); }
int chdir(const char *name) { return named(name); }
int access(const char *name, int mode) { return named(name); }
int chmod(const char *name, unsigned int mode) { return named(name); }

int rename(const char *from, const char *to) {
  strlen(from);
  return named(to);
}

int setenv(const char *name, const char *value, int replace) {
  strlen(value);
  return named(name);
}

int unsetenv(const char *name) { return named(name); }
int closedir(void *folder) { return success_or_error(); }

int pclose(void *file) { return number_or_error(); }

int pipe(int *ends) {
  if (!__margay_any_int())
    return -1;
  __margay_havoc(ends, 2 * sizeof(int));
  __margay_assume(ends[0] >= 0 && ends[1] >= 0);
  return 0;
}

int socket(int domain, int type, int protocol) { return number_or_error(); }

int connect(int socket, const void *address, unsigned int size) {
  look_at(address, size);
  return success_or_error();
}

int bind(int socket, const void *address, unsigned int size) { return connect(socket, address, size); }
int listen(int socket, int backlog) { return success_or_error(); }

int accept(int socket, void *address, unsigned int *size) {
  if (address) {
    __margay_inexact();
    __margay_havoc(address, *size);
    *size = __margay_any_uint();
  }
  return number_or_error();
}

int setsockopt(int socket, int level, int name, const void *value, unsigned int size) {
  look_at(value, size);
  return success_or_error();
}

int shutdown(int socket, int how) { return success_or_error(); }

ssize_t readlink(const char *name, char *to, size_t n) {
  strlen(name);
  ssize_t got = __margay_any_long();
  __margay_assume(got >= -1 && (got < 0 || (size_t)got <= n));
  if (got > 0)
    __margay_havoc(to, n);
  return got;
}

/* A path of any length that fits. */
char *getcwd(char *to, size_t n) {
  if (!to)
    __margay_give_up();
  if (n == 0 || !__margay_any_int())
    return 0;
  __margay_inexact();
  __margay_havoc(to, n - 1);
  to[n - 1] = 0;
  return to;
}

int gethostname(char *to, size_t n) {
  __margay_inexact();
  __margay_havoc(to, n);
  return success_or_error();
}

/* The last six characters are replaced. */
int mkstemp(char *name) {
  size_t n = strlen(name);
  if (n < 6 || !__margay_any_int())
    return -1;
  __margay_inexact();
  for (size_t i = n - 6; i < n; i++) {
    name[i] = (char)__margay_any_int();
    __margay_assume(name[i] != 0);
  }
  return number_or_error();
}

int fork(void) { return number_or_error(); }
int getpid(void) { return positive(); }
int getppid(void) { return positive() - 1; }
unsigned int getuid(void) { return __margay_any_uint(); }
unsigned int geteuid(void) { return __margay_any_uint(); }
unsigned int getgid(void) { return __margay_any_uint(); }
unsigned int getegid(void) { return __margay_any_uint(); }

unsigned int umask(unsigned int mask) { return __margay_any_uint() & 0777; }
unsigned int alarm(unsigned int seconds) { return __margay_any_uint(); }

/* No handler of a signal ends the sleep early, see signal. */
unsigned int sleep(unsigned int seconds) { return 0; }
int usleep(unsigned int microseconds) { return success_or_error(); }

long sysconf(int name) {
  long x = __margay_any_long();
  __margay_assume(x >= -1);
  return x;
}

/* Signals may be ignored or do what they do by default; handlers are not followed. */
void *signal(int number, void *handler) {
  if ((size_t)handler > 1)
    __margay_give_up();
  return __margay_any_int() ? (void *)0 : __margay_any_int() ? (void *)1 : (void *)-1;
}
