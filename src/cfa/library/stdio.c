/* Input and output on blocks, and what formats come down to.

   Where input has any length up to a bound, so many bytes become arbitrary and those behind them stay. That it is as long as it can be is
   a case of its own, in which lengths are numbers where the bound is one. */

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_line(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
void __margay_failed(int number);
size_t strlen(const char *s);
long __margay_any_long(void);
long long __margay_any_longlong(void);
int __margay_any_int(void);
size_t __margay_any_size(void);
ssize_t __margay_any_ssize(void);

/* Reads n bytes for nothing but the check that they are there. */
static void look_at(const void *p, size_t n) {
  if (n > 0) {
    void *seen = __builtin_alloca(n);
    memcpy(seen, p, n);
  }
}

/* Streams are objects with a state: whether they are open, at their end, have had an error, and which byte was pushed back. The
   standard streams are open at first. Using a stream that is null or closed is an access through null. */
struct stream { unsigned char open, end, bad, has_back, back; };

static struct stream standard[3] = {{1}, {1}, {1}};
void *stdin = &standard[0], *stdout = &standard[1], *stderr = &standard[2];

/* Streams that the program opens. Closed ones are used again, as blocks are. So that a use of a closed stream is found
   nevertheless, any one stream that is closed may be kept apart from then on (`kept`). */
static struct stream opened[4];
static unsigned char kept;

static struct stream *in_use(void *file) {
  struct stream *stream = file;
  if (!stream->open) {
    struct stream *closed = 0;
    closed->open = 0;
  }
  return stream;
}

void check_stream(void *file) { in_use(file); }

static void *fresh_stream(void) {
  for (int i = 0; i < 4; i++)
    if (!opened[i].open && kept != i + 1) {
      opened[i].open = 1;
      opened[i].end = opened[i].bad = opened[i].has_back = 0;
      return &opened[i];
    }
  __margay_give_up();
  return 0;
}

static void *open_stream(void) {
  if (!__margay_any_int()) {
    __margay_failed(0);
    return 0;
  }
  return fresh_stream();
}

void *fopen(const char *name, const char *mode) {
  strlen(name);
  strlen(mode);
  return open_stream();
}

void *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
void *popen(const char *command, const char *mode) { return fopen(command, mode); }
void *tmpfile(void) { return open_stream(); }

void *fdopen(int file, const char *mode) {
  strlen(mode);
  return open_stream();
}

static void close_stream(struct stream *stream) {
  stream->open = 0;
  if (!kept && __margay_any_int())
    for (int i = 0; i < 4; i++)
      if (stream == &opened[i])
        kept = i + 1;
}

static int success_or_end(void) {
  if (!(__margay_any_int() & 1))
    return 0;
  __margay_failed(0);
  return -1;
}

int fclose(void *file) {
  close_stream(in_use(file));
  return success_or_end();
}

int pclose(void *file) {
  close_stream(in_use(file));
  int status = __margay_any_int();
  __margay_assume(status >= -1);
  return status;
}

void *freopen(const char *name, const char *mode, void *file) {
  struct stream *stream = in_use(file);
  if (name)
    strlen(name);
  strlen(mode);
  if (!__margay_any_int()) {
    __margay_failed(0);
    close_stream(stream);
    return 0;
  }
  stream->end = stream->bad = stream->has_back = 0;
  return file;
}

/* Input has ended, or there was an error. The end of a stream stays until it is cleared. */
static void no_input(struct stream *stream) {
  if (stream->end)
    return;
  if (__margay_any_int())
    stream->end = 1;
  else {
    stream->bad = 1;
    __margay_failed(0);
  }
}

/* A line of any length below n: arbitrary bytes, of which none but the last is a newline, and a zero. */
char *fgets(char *to, int n, void *file) {
  struct stream *stream = in_use(file);
  if (n <= 0)
    return 0;
  if (n > 1 && (stream->end || __margay_any_int())) {
    no_input(stream);
    return 0;
  }
  size_t room = (size_t)n - 1, length = __margay_any_size();
  __margay_assume(length <= room && (length > 0 || room == 0));
  if (length == room)
    length = room;
  __margay_line(to, length);
  if (stream->has_back && length > 0) {
    stream->has_back = 0;
    to[0] = (char)stream->back;
    if (to[0] == '\n')
      length = 1;
  }
  to[length] = 0;
  return to;
}

static int read_byte(struct stream *stream) {
  if (stream->has_back) {
    stream->has_back = 0;
    return stream->back;
  }
  if (stream->end)
    return -1;
  int c = __margay_any_int();
  __margay_assume(c >= -1 && c <= 255);
  if (c < 0)
    no_input(stream);
  return c;
}

int getchar(void) { return read_byte(in_use(stdin)); }
int getchar_unlocked(void) { return read_byte(in_use(stdin)); }
int getc(void *file) { return read_byte(in_use(file)); }
int getc_unlocked(void *file) { return read_byte(in_use(file)); }
int fgetc(void *file) { return read_byte(in_use(file)); }
int fgetc_unlocked(void *file) { return read_byte(in_use(file)); }

/* Output may fail. */
static int written(int c) {
  if (__margay_any_int())
    return (unsigned char)c;
  __margay_failed(0);
  return -1;
}

static int written_to(int c, void *file) {
  in_use(file);
  return written(c);
}

int putchar(int c) { return written(c); }
int putchar_unlocked(int c) { return written(c); }
int putc(int c, void *file) { return written_to(c, file); }
int putc_unlocked(int c, void *file) { return written_to(c, file); }
int fputc(int c, void *file) { return written_to(c, file); }
int fputc_unlocked(int c, void *file) { return written_to(c, file); }

static int text_written(void) {
  int result = __margay_any_int();
  __margay_assume(result >= -1);
  if (result < 0)
    __margay_failed(0);
  return result;
}

int puts(const char *text) {
  strlen(text);
  return text_written();
}

int fputs(const char *text, void *file) {
  in_use(file);
  strlen(text);
  return text_written();
}

int fputs_unlocked(const char *text, void *file) { return fputs(text, file); }

/* One byte can always be pushed back; whether there is room for more is not known. */
int ungetc(int c, void *file) {
  struct stream *stream = in_use(file);
  if (c == -1)
    return -1;
  if (stream->has_back)
    __margay_give_up();
  stream->has_back = 1;
  stream->back = (unsigned char)c;
  stream->end = 0;
  return (unsigned char)c;
}

int fflush(void *file) {
  if (file)
    in_use(file);
  return success_or_end();
}

/* A buffer that the program lends changes with each later use of the file. */
void setbuf(void *file, char *buffer) {
  in_use(file);
  if (buffer)
    __margay_give_up();
}

int setvbuf(void *file, char *buffer, int mode, size_t n) {
  setbuf(file, buffer);
  return __margay_any_int();
}

void setbuffer(void *file, char *buffer, size_t n) { setbuf(file, buffer); }
void setlinebuf(void *file) { in_use(file); }

void clearerr(void *file) {
  struct stream *stream = in_use(file);
  stream->end = stream->bad = 0;
}

void clearerr_unlocked(void *file) { clearerr(file); }

void rewind(void *file) {
  clearerr(file);
  ((struct stream *)file)->has_back = 0;
}

int fseeko(void *file, long long offset, int from) {
  struct stream *stream = in_use(file);
  if (success_or_end() < 0)
    return -1;
  stream->end = stream->has_back = 0;
  return 0;
}

int fseek(void *file, long offset, int from) { return fseeko(file, offset, from); }

long ftell(void *file) {
  in_use(file);
  long x = __margay_any_long();
  __margay_assume(x >= -1);
  if (x < 0)
    __margay_failed(0);
  return x;
}

/* The caller's off_t may be shorter than what a file's length takes. */
long long ftello(void *file) {
  in_use(file);
  long long x = __margay_any_longlong();
  __margay_assume(x >= -1);
  if (x < 0)
    __margay_failed(0);
  if (x > 0x7fffffffLL && sizeof(long) < 8)
    __margay_inexact();
  return x;
}

int feof(void *file) { return in_use(file)->end; }
int ferror(void *file) { return in_use(file)->bad; }
int feof_unlocked(void *file) { return feof(file); }
int ferror_unlocked(void *file) { return ferror(file); }

/* The standard streams have the first numbers, unless they were closed and these numbers given to others. */
int fileno(void *file) {
  in_use(file);
  for (int i = 0; i < 3; i++)
    if (file == &standard[i])
      return i;
  int x = __margay_any_int();
  __margay_assume(x >= 3);
  return x;
}

int fileno_unlocked(void *file) { return fileno(file); }

/* Input of any length: there is always one that does not fit. */
void read_without_bound(char *to) {
  if (__margay_any_int())
    __margay_havoc(to, (size_t)-1 / 4);
  __margay_give_up();
}

char *gets(char *to) {
  read_without_bound(to);
  return to;
}

/* At most n bytes arrive, or none and an error. */
static ssize_t receive(void *to, size_t n) {
  ssize_t got = __margay_any_ssize();
  __margay_assume(got >= -1 && (got < 0 || (size_t)got <= n));
  if (got > 0) {
    if ((size_t)got == n)
      got = n;
    __margay_havoc(to, got);
  }
  if (got < 0)
    __margay_failed(0);
  return got;
}

ssize_t read(int file, void *to, size_t n) { return receive(to, n); }

ssize_t pread(int file, void *to, size_t n, long long offset) { return receive(to, n); }

ssize_t recv(int file, void *to, size_t n, int flags) { return receive(to, n); }

/* Whole elements are counted; bytes of one more may have arrived. */
size_t fread(void *to, size_t size, size_t n, void *file) {
  struct stream *stream = in_use(file);
  if (size == 0 || n == 0)
    return 0;
  size_t got = stream->end ? 0 : __margay_any_size();
  __margay_assume(got <= n);
  if (got == n)
    got = n;
  if (got > 0)
    __margay_havoc(to, got * size);
  if (got < n) {
    size_t part = stream->end || size == 1 ? 0 : __margay_any_size();
    __margay_assume(part < size);
    if (part > 0)
      __margay_havoc((char *)to + got * size, part);
    no_input(stream);
  }
  if (got > 0 && stream->has_back) {
    *(unsigned char *)to = stream->back;
    stream->has_back = 0;
  }
  return got;
}

static ssize_t deliver(const void *from, size_t n) {
  look_at(from, n);
  ssize_t taken = __margay_any_ssize();
  __margay_assume(taken >= -1 && (taken < 0 || (size_t)taken <= n));
  if (taken < 0)
    __margay_failed(0);
  return taken;
}

ssize_t write(int file, const void *from, size_t n) { return deliver(from, n); }

ssize_t pwrite(int file, const void *from, size_t n, long long offset) { return deliver(from, n); }

ssize_t send(int file, const void *from, size_t n, int flags) { return deliver(from, n); }

size_t fwrite(const void *from, size_t size, size_t n, void *file) {
  in_use(file);
  look_at(from, size * n);
  if (size == 0)
    return 0;
  size_t taken = __margay_any_size();
  __margay_assume(taken <= n);
  if (taken < n)
    __margay_failed(0);
  return taken;
}

/* sprintf whose output has this length; which characters it has is not told. */
int print_exactly(char *to, size_t length) {
  __margay_havoc(to, length);
  to[length] = 0;
  __margay_inexact();
  return (int)length;
}

/* snprintf whose output has this length. */
int print_bounded(char *to, size_t size, size_t length) {
  if (size > 0) {
    size_t kept = length < size ? length : size - 1;
    __margay_havoc(to, kept);
    to[kept] = 0;
    __margay_inexact();
  }
  return (int)length;
}

/* asprintf whose output has this length. */
int print_allocated(char **to, size_t length) {
  char *block = malloc(length + 1);
  if (!block)
    return -1;
  *to = block;
  return print_exactly(block, length);
}

/* asprintf with output of any length. */
int print_allocated_anything(char **to) {
  size_t length = __margay_any_size();
  __margay_assume(length < 0x7fffffff);
  __margay_inexact();
  return print_allocated(to, length);
}

/* snprintf with output of any length. */
int print_anything(char *to, size_t size) {
  __margay_inexact();
  if (size > 0) {
    size_t length = __margay_any_size();
    __margay_assume(length < size);
    if (length == size - 1)
      length = size - 1;
    __margay_havoc(to, length);
    to[length] = 0;
  }
  return __margay_any_int();
}

/* swprintf whose output has this length: what does not fit is an error. */
int print_wide(wchar_t *to, size_t size, size_t length) {
  if (length >= size) {
    __margay_inexact();
    __margay_havoc(to, size * sizeof(wchar_t));
    return -1;
  }
  __margay_havoc(to, length * sizeof(wchar_t));
  to[length] = 0;
  __margay_inexact();
  return (int)length;
}

/* swprintf with output of any length. */
int print_wide_anything(wchar_t *to, size_t size) {
  __margay_inexact();
  __margay_havoc(to, size * sizeof(wchar_t));
  if (size == 0 || !__margay_any_int())
    return -1;
  size_t length = __margay_any_size();
  __margay_assume(length < size);
  if (length == size - 1)
    length = size - 1;
  to[length] = 0;
  return __margay_any_int();
}

/* Parts of what sprintf and snprintf print, at place `at` of the output, with the place behind them as the result. */

size_t put_text(char *to, size_t size, size_t at, const char *from, size_t n) {
  size_t room = at + 1 < size ? size - 1 - at : 0;
  size_t kept = n < room ? n : room;
  if (kept > 0)
    memcpy(to + at, from, kept);
  return at + n;
}

size_t text_length(const char *s, size_t width);
size_t bounded_text_length(const char *s, size_t max, size_t width);
size_t decimal_length(unsigned long long x, size_t width);
size_t hexadecimal_length(unsigned long long x, size_t width);
size_t octal_length(unsigned long long x, size_t width);

size_t put_string(char *to, size_t size, size_t at, const char *s) {
  return put_text(to, size, at, s, text_length(s, 0));
}

size_t put_bounded_string(char *to, size_t size, size_t at, const char *s, size_t max) {
  return put_text(to, size, at, s, bounded_text_length(s, max, 0));
}

size_t put_character(char *to, size_t size, size_t at, int c) {
  char text = (char)c;
  return put_text(to, size, at, &text, 1);
}

/* Digits that are not told. */
static size_t put_some(char *to, size_t size, size_t at, size_t n) {
  size_t room = at + 1 < size ? size - 1 - at : 0;
  size_t kept = n < room ? n : room;
  if (kept > 0)
    __margay_havoc(to + at, kept);
  __margay_inexact();
  return at + n;
}

size_t put_unsigned(char *to, size_t size, size_t at, unsigned long long x) {
  size_t n = decimal_length(x, 0);
  if (n > 9)
    return put_some(to, size, at, n);
  char digits[9];
  unsigned int rest = (unsigned int)x;
  for (size_t i = n; i > 0; i--) {
    digits[i - 1] = (char)('0' + rest % 10);
    rest /= 10;
  }
  return put_text(to, size, at, digits, n);
}

size_t put_signed(char *to, size_t size, size_t at, long long x) {
  if (x >= 0)
    return put_unsigned(to, size, at, (unsigned long long)x);
  return put_unsigned(to, size, put_character(to, size, at, '-'), 0 - (unsigned long long)x);
}

static size_t put_hexadecimal_from(char *to, size_t size, size_t at, unsigned long long x, int gap) {
  size_t n = hexadecimal_length(x, 0);
  char digits[16];
  for (size_t i = n; i > 0; i--) {
    int digit = (int)(x & 15);
    digits[i - 1] = (char)('0' + digit + (digit > 9) * gap);
    x >>= 4;
  }
  return put_text(to, size, at, digits, n);
}

size_t put_hexadecimal(char *to, size_t size, size_t at, unsigned long long x) {
  return put_hexadecimal_from(to, size, at, x, 'a' - '0' - 10);
}

size_t put_large_hexadecimal(char *to, size_t size, size_t at, unsigned long long x) {
  return put_hexadecimal_from(to, size, at, x, 'A' - '0' - 10);
}

size_t put_octal(char *to, size_t size, size_t at, unsigned long long x) {
  size_t n = octal_length(x, 0);
  char digits[22];
  for (size_t i = n; i > 0; i--) {
    digits[i - 1] = (char)('0' + (int)(x & 7));
    x >>= 3;
  }
  return put_text(to, size, at, digits, n);
}

int put_end(char *to, size_t size, size_t at) {
  if (size > 0)
    to[at < size ? at : size - 1] = 0;
  return (int)at;
}

static size_t at_least(size_t length, size_t width) { return length < width ? width : length; }

size_t decimal_length(unsigned long long x, size_t width) {
  size_t n = 1;
  if (x >= 10000000000ULL) {
    n += 10;
    x /= 10000000000ULL;
  }
  unsigned long long bound = 10;
  while (n < 20 && x >= bound) {
    n++;
    if (bound > 1000000000000000000ULL)
      break;
    bound *= 10;
  }
  return at_least(n, width);
}

size_t signed_length(long long x, size_t width) {
  if (x >= 0)
    return decimal_length((unsigned long long)x, width);
  return at_least(decimal_length(0 - (unsigned long long)x, 0) + 1, width);
}

size_t hexadecimal_length(unsigned long long x, size_t width) {
  size_t n = 1;
  while (x >= 16) {
    n++;
    x >>= 4;
  }
  return at_least(n, width);
}

size_t octal_length(unsigned long long x, size_t width) {
  size_t n = 1;
  while (x >= 8) {
    n++;
    x >>= 3;
  }
  return at_least(n, width);
}

/* What a floating number says is not computed. */
size_t float_length(size_t most, size_t width) {
  __margay_inexact();
  size_t n = __margay_any_size();
  __margay_assume(n > 0 && n <= most);
  return at_least(n, width);
}

size_t character_length(size_t width) { return at_least(1, width); }

size_t text_length(const char *s, size_t width) {
  size_t n = 0;
  while (s[n])
    n++;
  return at_least(n, width);
}

size_t wide_text_length(const wchar_t *s, size_t width) {
  size_t n = 0;
  while (s[n])
    n++;
  return at_least(n, width);
}

size_t bounded_text_length(const char *s, size_t max, size_t width) {
  size_t n = 0;
  while (n < max && s[n])
    n++;
  return at_least(n, width);
}

void *realloc(void *p, size_t n);

/* A line of any length, in a block that grows as glibc's: 120 bytes at first, later what is needed. Whether something was read or not,
   the block is there. */
ssize_t getdelim(char **line, size_t *size, int delimiter, void *file) {
  struct stream *stream = in_use(file);
  if (stream->has_back)
    __margay_give_up();
  size_t length = stream->end ? 0 : __margay_any_size();
  __margay_assume(length < (size_t)-1 / 4);
  if (!*line || *size <= length) {
    size_t room = length < 120 ? 120 : length + 1;
    if (room > 120)
      __margay_inexact();
    char *block = realloc(*line, room);
    if (!block)
      return -1;
    *line = block;
    *size = room;
  }
  if (length == 0) {
    no_input(stream);
    return -1;
  }
  __margay_havoc(*line, length);
  (*line)[length] = 0;
  if (length > 8)
    __margay_inexact();
  else
    for (size_t i = 0; i + 1 < length; i++)
      __margay_assume((*line)[i] != (char)delimiter);
  return (ssize_t)length;
}

ssize_t getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }

char *tmpnam(char *to) {
  static char own[20];
  char *name = to ? to : own;
  __margay_inexact();
  if (!__margay_any_int())
    return 0;
  __margay_havoc(name, 19);
  name[19] = 0;
  return name;
}
