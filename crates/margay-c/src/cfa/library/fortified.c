/* Variants that headers put in the place of the plain functions when asked for checks: the last argument is the size of the
   object that is written, as far as the compiler knows it; beyond it the program ends. */

void abort(void);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t n);
char *fgets(char *to, int n, void *file);
ssize_t read(int file, void *to, size_t n);
size_t fread(void *to, size_t size, size_t n, void *file);

static void fits(size_t n, size_t size) {
  if (n > size)
    abort();
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) { return __memcpy_chk(to, from, n, size); }

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  return (char *)__memcpy_chk(to, from, n, size) + n;
}

void *__memset_chk(void *to, int c, size_t n, size_t size) {
  fits(n, size);
  return memset(to, c, n);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  fits(strlen(from) + 1, size);
  return stpcpy(to, from);
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
  __stpcpy_chk(to, from, size);
  return to;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return strncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  fits(strlen(to) + strlen(from) + 1, size);
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  fits(strlen(to) + strnlen(from, n) + 1, size);
  return strncat(to, from, n);
}

char *__fgets_chk(char *to, size_t size, int n, void *file) {
  if (n > 0)
    fits((size_t)n, size);
  return fgets(to, n, file);
}

ssize_t __read_chk(int file, void *to, size_t n, size_t size) {
  fits(n, size);
  return read(file, to, n);
}

ssize_t __recv_chk(int socket, void *to, size_t n, size_t size, int flags) { return __read_chk(socket, to, n, size); }

size_t __fread_chk(void *to, size_t total, size_t size, size_t n, void *file) {
  fits(size * n, total);
  return fread(to, size, n, file);
}
