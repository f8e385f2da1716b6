/* Standard input and output of a program that is run: what they are, the run's own world says, by the results of the functions whose
   names begin with `world_`. Files other than the standard streams cannot be opened. */

typedef __builtin_va_list va_list;

int __margay_any_int(void);
void __margay_failed(int number);

/* The next byte of standard input, or -1. */
int world_byte(void) { return __margay_any_int(); }

/* A function that is entered with numbers nobody reads has none. */
static size_t read_number;

/* Formats and writes; the length. */
int world_text(int to, const char *format, va_list list) {
  read_number = to;
  return __margay_any_int();
}

/* Writes n bytes; 0. */
int world_bytes(int to, const void *from, size_t n) {
  read_number = to + n;
  return __margay_any_int();
}

/* The program's status when it ends. */
void world_status(int status) { read_number = status; }

/* The streams that other models know. */
extern void *stdin, *stdout, *stderr;

static int stream(const void *file) { return file == stdout ? 1 : file == stderr ? 2 : -1; }

static int has_ended, has_pushed;
static unsigned char pushed;

static int next(void) {
  if (has_pushed) {
    has_pushed = 0;
    return pushed;
  }
  int c = world_byte();
  if (c == -1)
    has_ended = 1;
  return c;
}

static int back(int c) {
  if (c == -1)
    return -1;
  has_pushed = 1;
  has_ended = 0;
  return pushed = c;
}

static int put(int c, int to) {
  char byte = c;
  if (to < 0)
    return -1;
  world_bytes(to, &byte, 1);
  return (unsigned char)c;
}

/* Each byte is read here, so that what cannot be read is found. */
static int send_string(const char *s, int to) {
  size_t n = 0;
  while (s[n])
    n++;
  if (to < 0)
    return -1;
  world_bytes(to, s, n);
  return 1;
}

int putchar(int c) { return put(c, 1); }
int fputc(int c, void *file) { return put(c, stream(file)); }
int fputs(const char *s, void *file) { return send_string(s, stream(file)); }

int puts(const char *s) {
  send_string(s, 1);
  put('\n', 1);
  return 1;
}

void perror(const char *s) {
  if (s && *s) {
    send_string(s, 2);
    send_string(": ", 2);
  }
  send_string("Error\n", 2);
}

size_t fwrite(const void *from, size_t size, size_t n, void *file) {
  const char *p = from;
  char last;
  if (size == 0 || n == 0 || stream(file) < 0)
    return 0;
  for (size_t i = 0; i < size * n; i++)
    last = p[i];
  world_bytes(stream(file), from, size * n);
  return n;
}

/* Other files than the three are not open. */
static ssize_t not_open(void) {
  __margay_failed(9);
  return -1;
}

ssize_t write(int file, const void *from, size_t n) {
  return file == 1 || file == 2 ? (ssize_t)fwrite(from, 1, n, file == 1 ? stdout : stderr) : not_open();
}

int fflush(void *file) { return 0; }
int fclose(void *file) { return 0; }

int printf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return world_text(1, format, list);
}

int fprintf(void *file, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return stream(file) < 0 ? -1 : world_text(stream(file), format, list);
}

int vprintf(const char *format, va_list list) { return world_text(1, format, list); }

int vfprintf(void *file, const char *format, va_list list) {
  return stream(file) < 0 ? -1 : world_text(stream(file), format, list);
}

int getchar(void) { return next(); }
int fgetc(void *file) { return file == stdin ? next() : -1; }
int ungetc(int c, void *file) { return file == stdin ? back(c) : -1; }
int feof(void *file) { return file == stdin && has_ended; }
int ferror(void *file) { return 0; }

char *fgets(char *to, int n, void *file) {
  int i = 0;
  while (i < n - 1) {
    int c = fgetc(file);
    if (c == -1)
      break;
    to[i++] = c;
    if (c == '\n')
      break;
  }
  if (i == 0 && n != 1)
    return 0;
  to[i] = 0;
  return to;
}

size_t fread(void *to, size_t size, size_t n, void *file) {
  char *p = to;
  if (size == 0)
    return 0;
  for (size_t i = 0; i < size * n; i++) {
    int c = fgetc(file);
    if (c == -1)
      return i / size;
    p[i] = c;
  }
  return n;
}

ssize_t read(int file, void *to, size_t n) {
  return file == 0 ? (ssize_t)fread(to, 1, n, stdin) : not_open();
}

static int is_space(int c) { return c == ' ' || c >= '\t' && c <= '\r'; }

static int digit(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 36;
}

/* Reads a number of at most `room` characters in `base` (0: as in C); whether there was one. */
static int scan_number(int base, int room, unsigned long long *value) {
  int c = next(), negative = 0, digits = 0;
  *value = 0;
  if ((c == '-' || c == '+') && room > 1) {
    negative = c == '-';
    room--;
    c = next();
  }
  if (c == '0' && (base == 0 || base == 16)) {
    digits = 1;
    room--;
    c = next();
    if ((c | 32) == 'x' && room > 0) {
      base = 16;
      room--;
      c = next();
    } else if (base == 0)
      base = 8;
  } else if (base == 0)
    base = 10;
  while (room > 0 && digit(c) < base) {
    *value = *value * base + digit(c);
    digits++;
    room--;
    c = next();
  }
  back(c);
  if (negative)
    *value = -*value;
  return digits > 0;
}

int vscanf(const char *format, va_list list) {
  int done = 0;
  for (; *format; format++) {
    int c;
    if (is_space(*format)) {
      while (is_space(c = next()))
        ;
      back(c);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        while (is_space(c = next()))
          ;
        back(c);
      }
      c = next();
      if (c != (unsigned char)*format) {
        back(c);
        return c == -1 && done == 0 ? -1 : done;
      }
      continue;
    }
    int kept = 1, room = 0, length = 4;
    format++;
    if (*format == '*') {
      kept = 0;
      format++;
    }
    while (*format >= '0' && *format <= '9')
      room = room * 10 + (*format++ - '0');
    for (;; format++) {
      if (*format == 'h')
        length = length == 4 ? 2 : 1;
      else if (*format == 'l')
        length = length == 4 && sizeof(long) == 4 ? -4 : 8;
      else if (*format == 'z' || *format == 't')
        length = sizeof(size_t);
      else if (*format == 'j' || *format == 'L' || *format == 'q')
        length = 8;
      else
        break;
    }
    if (length == -4)
      length = 4;
    if (*format != 'c' && *format != '[' && *format != 'n') {
      while (is_space(c = next()))
        ;
      back(c);
    }
    if (*format != 'n') {
      c = next();
      back(c);
      if (c == -1)
        return done == 0 ? -1 : done;
    }
    switch (*format) {
    case 'd': case 'u': case 'i': case 'x': case 'X': case 'o': {
      unsigned long long value;
      int base = *format == 'i' ? 0 : *format == 'o' ? 8 : (*format | 32) == 'x' ? 16 : 10;
      if (!scan_number(base, room ? room : 1000, &value))
        return done;
      if (kept) {
        void *to = __builtin_va_arg(list, void *);
        if (length == 1)
          *(unsigned char *)to = value;
        else if (length == 2)
          *(unsigned short *)to = value;
        else if (length == 4)
          *(unsigned int *)to = value;
        else
          *(unsigned long long *)to = value;
        done++;
      }
      break;
    }
    case 's': case 'c': {
      int most = room ? room : *format == 'c' ? 1 : 0x7fffffff, i = 0;
      char *to = kept ? __builtin_va_arg(list, char *) : 0;
      for (; i < most; i++) {
        c = next();
        if (c == -1 || *format == 's' && is_space(c)) {
          back(c);
          break;
        }
        if (to)
          to[i] = c;
      }
      if (*format == 'c' && i < most)
        return done;
      if (to && *format == 's')
        to[i] = 0;
      done += kept;
      break;
    }
    default:
      return done;
    }
  }
  return done;
}

int scanf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return vscanf(format, list);
}

int fscanf(void *file, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return file == stdin ? vscanf(format, list) : -1;
}
