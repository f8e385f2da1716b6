/* Files and processes as far as one program sees them: what comes back, and which memory is looked at. */

void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
void *malloc(size_t n);
void _exit(int status);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
void __margay_failed(int number);
int __margay_any_int(void);
unsigned int __margay_any_uint(void);
long __margay_any_long(void);
size_t __margay_any_size(void);
long long __margay_any_longlong(void);

static int success_or_error(void) {
  if (!(__margay_any_int() & 1))
    return 0;
  __margay_failed(0);
  return -1;
}

static int number_or_error(void) {
  int x = __margay_any_int();
  __margay_assume(x >= -1);
  if (x < 0)
    __margay_failed(0);
  return x;
}

/* A file without a number is none. */
static int is_none(int file) {
  if (file < 0)
    __margay_failed(9);
  return file < 0;
}

/* Files that the program opened and has not closed, as far as there is room for them; -1 where there is none. */
static int opened[4] = {-1, -1, -1, -1};
static unsigned char has_closed_standard, has_lost_one;

static void remember(int file) {
  for (int i = 0; i < 4; i++)
    if (opened[i] < 0) {
      opened[i] = file;
      return;
    }
  has_lost_one = 1;
}

/* A number that no open file has; -1 where that fails. */
static int fresh_file(void) {
  if (!__margay_any_int()) {
    __margay_failed(0);
    return -1;
  }
  int x = __margay_any_int();
  __margay_assume(x >= (has_closed_standard ? 0 : 3));
  for (int i = 0; i < 4; i++)
    __margay_assume(x != opened[i]);
  if (has_lost_one)
    __margay_inexact();
  remember(x);
  return x;
}

int close(int file) {
  if (is_none(file))
    return -1;
  if (file < 3)
    has_closed_standard = 1;
  for (int i = 0; i < 4; i++)
    if (opened[i] == file)
      opened[i] = -1;
  return success_or_error();
}

static int positive(void) {
  int x = __margay_any_int();
  return x > 0 ? x : 1;
}

/* No file has no name. */
static int is_empty(const char *name) {
  if (strlen(name) > 0)
    return 0;
  __margay_failed(2);
  return 1;
}

static int named(const char *name) { return is_empty(name) ? -1 : success_or_error(); }

static void look_at_bytes(const void *p, size_t n) {
  if (n > 0) {
    void *seen = __builtin_alloca(n);
    memcpy(seen, p, n);
  }
}

int open(const char *name, int flags) { return is_empty(name) ? -1 : fresh_file(); }

int open64(const char *name, int flags) { return open(name, flags); }
int creat(const char *name, unsigned int mode) { return open(name, 0); }
int dup(int file) { return is_none(file) ? -1 : fresh_file(); }

int dup2(int file, int other) {
  if (file < 0 || other < 0 || !__margay_any_int()) {
    __margay_failed(file < 0 || other < 0 ? 9 : 0);
    return -1;
  }
  if (file != other)
    for (int i = 0; i < 4; i++)
      if (opened[i] == other)
        return other;
  if (file != other && other > 2)
    remember(other);
  return other;
}

/* The caller's off_t may be shorter than what a file's length takes. */
long long lseek(int file, long long offset, int from) {
  if (is_none(file))
    return -1;
  long long x = __margay_any_longlong();
  __margay_assume(x >= -1);
  if (x < 0)
    __margay_failed(0);
  if (x > 0x7fffffffLL && sizeof(long) < 8)
    __margay_inexact();
  return x;
}

int fsync(int file) { return is_none(file) ? -1 : success_or_error(); }
int fdatasync(int file) { return fsync(file); }

int isatty(int file) {
  if (is_none(file))
    return 0;
  int is_one = __margay_any_int() & 1;
  if (!is_one)
    __margay_failed(0);
  return is_one;
}

int unlink(const char *name) { return named(name); }
int remove(const char *name) { return named(name); }
int rmdir(const char *name) { return named(name); }
int mkdir(const char *name, unsigned int mode) { return named(name); }
int chdir(const char *name) { return named(name); }
int access(const char *name, int mode) { return named(name); }
int chmod(const char *name, unsigned int mode) { return named(name); }

int rename(const char *from, const char *to) {
  int nothing = is_empty(from);
  return nothing | is_empty(to) ? -1 : success_or_error();
}

int closedir(void *folder) { return success_or_error(); }

int pipe(int *ends) {
  int first = fresh_file();
  if (first < 0)
    return -1;
  int second = fresh_file();
  __margay_assume(second >= 0);
  ends[0] = first;
  ends[1] = second;
  return 0;
}

int socket(int domain, int type, int protocol) { return fresh_file(); }

int connect(int socket, const void *address, unsigned int size) {
  look_at_bytes(address, size);
  return is_none(socket) ? -1 : success_or_error();
}

int bind(int socket, const void *address, unsigned int size) { return connect(socket, address, size); }
int listen(int socket, int backlog) { return is_none(socket) ? -1 : success_or_error(); }

int accept(int socket, void *address, unsigned int *size) {
  if (is_none(socket))
    return -1;
  if (address) {
    __margay_inexact();
    __margay_havoc(address, *size);
    *size = __margay_any_uint();
  }
  return fresh_file();
}

int setsockopt(int socket, int level, int name, const void *value, unsigned int size) {
  look_at_bytes(value, size);
  return is_none(socket) ? -1 : success_or_error();
}

int shutdown(int socket, int how) { return is_none(socket) ? -1 : success_or_error(); }

ssize_t readlink(const char *name, char *to, size_t n) {
  if (is_empty(name))
    return -1;
  ssize_t got = __margay_any_long();
  __margay_assume(got >= -1 && (got < 0 || (size_t)got <= n));
  if (got > 0)
    __margay_havoc(to, got);
  if (got < 0)
    __margay_failed(0);
  return got;
}

/* A path of any length that fits. */
char *getcwd(char *to, size_t n) {
  if (!to)
    __margay_give_up();
  if (n < 2 || !__margay_any_int()) {
    __margay_failed(n == 0 ? 22 : n == 1 ? 34 : 0);
    return 0;
  }
  __margay_inexact();
  size_t length = __margay_any_size();
  __margay_assume(length < n);
  __margay_havoc(to, length);
  to[length] = 0;
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
  if (n < 6 || !__margay_any_int()) {
    __margay_failed(n < 6 ? 22 : 0);
    return -1;
  }
  __margay_inexact();
  for (size_t i = n - 6; i < n; i++) {
    name[i] = (char)__margay_any_int();
    __margay_assume(name[i] != 0);
  }
  return fresh_file();
}

/* What the process is does not change by itself. */
static struct { unsigned char pid, users; } is_known;
static int own_pid;
static unsigned int users[4];

int getpid(void) {
  if (!is_known.pid) {
    is_known.pid = 1;
    own_pid = positive();
  }
  return own_pid;
}

/* The child is another process. */
int fork(void) {
  int child = number_or_error();
  if (child == 0)
    is_known.pid = 0;
  return child;
}

/* The parent may end. */
int getppid(void) { return positive() - 1; }

static unsigned int user(int which) {
  if (!is_known.users) {
    is_known.users = 1;
    for (int i = 0; i < 4; i++)
      users[i] = __margay_any_uint();
  }
  return users[which];
}

unsigned int getuid(void) { return user(0); }
unsigned int geteuid(void) { return user(1); }
unsigned int getgid(void) { return user(2); }
unsigned int getegid(void) { return user(3); }

static int change_user(void) {
  __margay_inexact();
  is_known.users = 0;
  return success_or_error();
}

int setuid(unsigned int to) { return change_user(); }
int seteuid(unsigned int to) { return change_user(); }
int setgid(unsigned int to) { return change_user(); }
int setegid(unsigned int to) { return change_user(); }
int setreuid(unsigned int real, unsigned int effective) { return change_user(); }
int setregid(unsigned int real, unsigned int effective) { return change_user(); }

unsigned int umask(unsigned int mask) {
  static unsigned char known;
  static unsigned int current;
  unsigned int before = known ? current : __margay_any_uint() & 0777;
  known = 1;
  current = mask & 0777;
  return before;
}

unsigned int alarm(unsigned int seconds) { return __margay_any_uint(); }
int getpagesize(void) { return 4096; }

/* No handler of a signal ends the sleep early, see signal. */
unsigned int sleep(unsigned int seconds) { return 0; }
int usleep(unsigned int microseconds) { return success_or_error(); }

/* Number 30 asks for the size of a page. */
long sysconf(int name) {
  if (name == 30)
    return 4096;
  if (name < 0) {
    __margay_failed(22);
    return -1;
  }
  long x = __margay_any_long();
  __margay_assume(x >= -1);
  if (x < 0 && __margay_any_int())
    __margay_failed(0);
  return x;
}

int openat(int folder, const char *name, int flags) { return open(name, flags); }

/* Locks are told through the third argument. */
int fcntl(int file, int command) {
  if (is_none(file))
    return -1;
  if (command == 5 || command == 12 || command == 36 || command == 16)
    __margay_give_up();
  return number_or_error();
}

struct part { void *start; size_t size; };

ssize_t readv(int file, const struct part *parts, int n) {
  __margay_inexact();
  for (int i = 0; i < n; i++)
    __margay_havoc(parts[i].start, parts[i].size);
  return number_or_error();
}

ssize_t writev(int file, const struct part *parts, int n) {
  __margay_inexact();
  for (int i = 0; i < n; i++)
    look_at_bytes(parts[i].start, parts[i].size);
  return number_or_error();
}

ssize_t sendto(int socket, const void *from, size_t n, int flags, const void *address, unsigned int size) {
  look_at_bytes(from, n);
  if (address)
    look_at_bytes(address, size);
  ssize_t taken = __margay_any_long();
  __margay_assume(taken >= -1 && (taken < 0 || (size_t)taken <= n));
  if (taken < 0)
    __margay_failed(0);
  return taken;
}

static void give_address(void *address, unsigned int *size) {
  if (address) {
    __margay_inexact();
    __margay_havoc(address, *size);
    *size = __margay_any_uint();
  }
}

ssize_t recvfrom(int socket, void *to, size_t n, int flags, void *address, unsigned int *size) {
  ssize_t got = __margay_any_long();
  __margay_assume(got >= -1 && (got < 0 || (size_t)got <= n));
  if (got > 0)
    __margay_havoc(to, got);
  if (got < 0)
    __margay_failed(0);
  give_address(address, size);
  return got;
}

int getsockname(int socket, void *address, unsigned int *size) {
  give_address(address, size);
  return success_or_error();
}

int getpeername(int socket, void *address, unsigned int *size) { return getsockname(socket, address, size); }

int getsockopt(int socket, int level, int name, void *value, unsigned int *size) {
  give_address(value, size);
  return success_or_error();
}

int socketpair(int domain, int type, int protocol, int *ends) { return pipe(ends); }

struct watched { int file; short events, happened; };

int poll(struct watched *files, unsigned long n, int timeout) {
  __margay_inexact();
  for (unsigned long i = 0; i < n; i++)
    __margay_havoc(&files[i].happened, sizeof(short));
  return number_or_error();
}

/* Sets have 1024 bits. */
int select(int n, void *readable, void *writable, void *other, void *timeout) {
  __margay_inexact();
  if (readable)
    __margay_havoc(readable, 128);
  if (writable)
    __margay_havoc(writable, 128);
  if (other)
    __margay_havoc(other, 128);
  if (timeout)
    __margay_havoc(timeout, 2 * sizeof(long));
  return number_or_error();
}

/* The program is another one from then on; what is left of it here is an error. */
static int replaced(void) {
  __margay_inexact();
  if (__margay_any_int())
    _exit(0);
  __margay_failed(0);
  return -1;
}

static void read_list(char *const *list) {
  while (*list)
    strlen(*list++);
}

int execv(const char *name, char *const *arguments) {
  strlen(name);
  read_list(arguments);
  return replaced();
}

int execvp(const char *name, char *const *arguments) { return execv(name, arguments); }

int execve(const char *name, char *const *arguments, char *const *environment) {
  if (environment)
    read_list(environment);
  return execv(name, arguments);
}

/* Null, or some entry with a name; as long as glibc's, whose name stands at one of two places where numbers are short. */
void *readdir(void *folder) {
  static struct { long aligned[280 / sizeof(long)]; } entry;
  __margay_inexact();
  if (!__margay_any_int()) {
    if (__margay_any_int())
      __margay_failed(0);
    return 0;
  }
  __margay_havoc(&entry, sizeof entry);
  ((char *)&entry)[sizeof(long) == 8 || __margay_any_int() ? 274 : 266] = 0;
  return &entry;
}

/* A path of any length, in a block of its own of just that length where no place is given. */
char *realpath(const char *name, char *to) {
  if (!name) {
    __margay_failed(22);
    return 0;
  }
  if (is_empty(name))
    return 0;
  if (!__margay_any_int()) {
    __margay_failed(0);
    return 0;
  }
  size_t length = __margay_any_size();
  __margay_assume(length > 0 && length < 4096);
  if (!to)
    to = malloc(length + 1);
  if (!to)
    return 0;
  __margay_havoc(to, length);
  __margay_assume(to[0] == '/');
  to[length] = 0;
  return to;
}

/* The last six characters are replaced. */
char *mkdtemp(char *name) {
  return mkstemp(name) < 0 ? 0 : name;
}

static char *some_name(void) {
  static char name[256];
  __margay_inexact();
  if (!__margay_any_int()) {
    __margay_failed(0);
    return 0;
  }
  __margay_havoc(name, sizeof name - 1);
  return name;
}

char *getlogin(void) { return some_name(); }
char *ttyname(int file) { return some_name(); }
char *inet_ntoa(unsigned int address) {
  static char text[16];
  __margay_inexact();
  __margay_havoc(text, sizeof text - 1);
  return text;
}
