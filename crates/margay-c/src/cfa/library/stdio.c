/* Input and output on blocks, and what formats come down to.

   Where input has any length up to a bound, so many bytes become arbitrary and those behind them stay. That it is as long as it can be is
   a case of its own, in which lengths are numbers where the bound is one. */

void *malloc(size_t n);
size_t fread(void *to, size_t size, size_t n, void *file);
size_t fwrite(const void *from, size_t size, size_t n, void *file);
void *memcpy(void *to, const void *from, size_t n);
void __margay_assume(int condition);
void __margay_havoc(void *p, size_t n);
void __margay_line(void *p, size_t n);
void __margay_give_up(void);
void __margay_inexact(void);
void __margay_failed(int number);
size_t strlen(const char *s);
size_t wcslen(const wchar_t *s);
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

/* A file without a number is none. */
static int is_no_file(int file) {
  if (file < 0)
    __margay_failed(9);
  return file < 0;
}

/* A mode begins with what it is for. */
static int is_mode(const char *mode) {
  strlen(mode);
  if (*mode == 'r' || *mode == 'w' || *mode == 'a')
    return 1;
  __margay_failed(22);
  return 0;
}

/* No file has no name. */
void *fopen(const char *name, const char *mode) {
  size_t length = strlen(name);
  if (!is_mode(mode))
    return 0;
  if (length == 0) {
    __margay_failed(2);
    return 0;
  }
  return open_stream();
}

void *fopen64(const char *name, const char *mode) { return fopen(name, mode); }

void *popen(const char *command, const char *mode) {
  strlen(command);
  return is_mode(mode) ? open_stream() : 0;
}

void *tmpfile(void) { return open_stream(); }
void *fdopen(int file, const char *mode) { return is_mode(mode) && !is_no_file(file) ? open_stream() : 0; }

/* What was known of a closed stream says nothing of the next one in its place. */
static void close_stream(struct stream *stream) {
  stream->open = stream->end = stream->bad = stream->has_back = 0;
  if (!kept && __margay_any_int())
    for (int i = 0; i < 4; i++)
      if (stream == &opened[i])
        kept = i + 1;
}

/* An error. Where no call asks for it, it is not kept (`mod.rs`). */
static void note_error(struct stream *stream) { stream->bad = 1; }

/* Output that fails is an error of its stream. */
static int no_output(struct stream *stream) {
  note_error(stream);
  __margay_failed(0);
  return -1;
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
  if (status < 0)
    __margay_failed(0);
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
    note_error(stream);
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
static int written_to(int c, void *file) {
  struct stream *stream = in_use(file);
  return __margay_any_int() ? (unsigned char)c : no_output(stream);
}

int putchar(int c) { return written_to(c, stdout); }
int putchar_unlocked(int c) { return written_to(c, stdout); }
int putc(int c, void *file) { return written_to(c, file); }
int putc_unlocked(int c, void *file) { return written_to(c, file); }
int fputc(int c, void *file) { return written_to(c, file); }
int fputc_unlocked(int c, void *file) { return written_to(c, file); }

int fputs(const char *text, void *file) {
  struct stream *stream = in_use(file);
  strlen(text);
  int result = __margay_any_int();
  __margay_assume(result >= -1);
  return result < 0 ? no_output(stream) : result;
}

int puts(const char *text) { return fputs(text, stdout); }

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
  if (!file)
    return success_or_end();
  struct stream *stream = in_use(file);
  return __margay_any_int() & 1 ? no_output(stream) : 0;
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
  if (__margay_any_int())
    __margay_failed(0);
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

/* Wide characters, of which nothing is known. As fgets; that no newline is within a line is said of short ones only. */
wchar_t *fgetws(wchar_t *to, int n, void *file) {
  struct stream *stream = in_use(file);
  if (n <= 0)
    return 0;
  if (stream->end || __margay_any_int()) {
    no_input(stream);
    return 0;
  }
  size_t room = (size_t)n - 1, length = __margay_any_size();
  __margay_assume(length <= room && (length > 0 || room == 0));
  __margay_havoc(to, length * sizeof(wchar_t));
  to[length] = 0;
  if (length > 8)
    __margay_inexact();
  else
    for (size_t i = 0; i + 1 < length; i++)
      __margay_assume(to[i] != L'\n');
  return to;
}

unsigned int fgetwc(void *file) {
  struct stream *stream = in_use(file);
  if (stream->has_back)
    __margay_give_up();
  unsigned int c = stream->end ? 0xffffffffU : (unsigned int)__margay_any_int();
  if (c == 0xffffffffU)
    no_input(stream);
  return c;
}

unsigned int getwc(void *file) { return fgetwc(file); }
unsigned int getwchar(void) { return fgetwc(stdin); }

unsigned int fputwc(wchar_t c, void *file) {
  struct stream *stream = in_use(file);
  return __margay_any_int() ? (unsigned int)c : (unsigned int)no_output(stream);
}

unsigned int putwc(wchar_t c, void *file) { return fputwc(c, file); }
unsigned int putwchar(wchar_t c) { return fputwc(c, stdout); }

/* What is pushed back is read again, which is not followed. */
unsigned int ungetwc(unsigned int c, void *file) {
  in_use(file);
  if (c != 0xffffffffU)
    __margay_give_up();
  return c;
}

int fputws(const wchar_t *s, void *file) {
  struct stream *stream = in_use(file);
  wcslen(s);
  int result = __margay_any_int();
  __margay_assume(result >= -1);
  return result < 0 ? no_output(stream) : result;
}

/* Words of the machine. */
int getw(void *file) {
  int word = 0;
  return fread(&word, sizeof word, 1, file) == 1 ? word : -1;
}

int putw(int word, void *file) { return fwrite(&word, sizeof word, 1, file) == 1 ? 0 : -1; }

/* Before the first character is read or written, a stream is neither wide nor narrow; which of them it became is not kept. */
int fwide(void *file, int mode) {
  in_use(file);
  __margay_inexact();
  return mode > 0 ? __margay_any_int() : -(__margay_any_int() & 1);
}

void flockfile(void *file) { in_use(file); }
void funlockfile(void *file) { in_use(file); }

int ftrylockfile(void *file) {
  in_use(file);
  return 0;
}

/* As long as glibc's. */
int fgetpos(void *file, void *place) {
  in_use(file);
  __margay_inexact();
  __margay_havoc(place, sizeof(long) == 8 ? 16 : 12);
  return success_or_end();
}

int fgetpos64(void *file, void *place) { return fgetpos(file, place); }

int fsetpos(void *file, const void *place) {
  char seen = *(const char *)place;
  return fseeko(file, 0, 0);
}

int fsetpos64(void *file, const void *place) { return fsetpos(file, place); }

/* A message of its own, or none. */
void perror(const char *text) {
  if (text)
    strlen(text);
}

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

ssize_t read(int file, void *to, size_t n) { return is_no_file(file) ? -1 : receive(to, n); }

ssize_t pread(int file, void *to, size_t n, long long offset) { return read(file, to, n); }

ssize_t recv(int file, void *to, size_t n, int flags) { return read(file, to, n); }

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

ssize_t write(int file, const void *from, size_t n) { return is_no_file(file) ? -1 : deliver(from, n); }

ssize_t pwrite(int file, const void *from, size_t n, long long offset) { return write(file, from, n); }

ssize_t send(int file, const void *from, size_t n, int flags) { return write(file, from, n); }

size_t fwrite(const void *from, size_t size, size_t n, void *file) {
  struct stream *stream = in_use(file);
  look_at(from, size * n);
  if (size == 0)
    return 0;
  size_t taken = __margay_any_size();
  __margay_assume(taken <= n);
  if (taken < n)
    no_output(stream);
  return taken;
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
  if (delimiter == '\n')
    __margay_line(*line, length);
  else {
    __margay_havoc(*line, length);
    if (length > 8)
      __margay_inexact();
    else
      for (size_t i = 0; i + 1 < length; i++)
        __margay_assume((*line)[i] != (char)delimiter);
  }
  (*line)[length] = 0;
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
