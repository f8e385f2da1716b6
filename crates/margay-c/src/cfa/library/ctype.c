/* Classes of characters in the C locale, with the bits glibc's macros test. */

void __margay_havoc(void *p, size_t n);
int __margay_any_int(void);

/* For -128 to 255: bytes above 127 have no class. */
static const unsigned short classes[384] = {
  [128 ... 136] = 0x0002, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x0002, [160] = 0x6001,
  [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004, [193 ... 198] = 0xd508,
  [199 ... 218] = 0xc508, [219 ... 224] = 0xc004, [225 ... 230] = 0xd608, [231 ... 250] = 0xc608,
  [251 ... 254] = 0xc004, [255] = 0x0002
};
static const unsigned short *classes_from_zero = classes + 128;

const unsigned short **__ctype_b_loc(void) { return &classes_from_zero; }

/* What is no letter stays as it is. */
static int upper_letters[384], lower_letters[384];
static const int *upper_from_zero = upper_letters + 128, *lower_from_zero = lower_letters + 128;

static void fill_tables(void) {
  if (upper_letters[384 - 1])
    return;
  for (int i = 0; i < 384; i++) {
    int c = i < 127 ? i + 128 : i - 128;
    upper_letters[i] = c >= 'a' && c <= 'z' ? c - 32 : c;
    lower_letters[i] = c >= 'A' && c <= 'Z' ? c + 32 : c;
  }
}

const int **__ctype_toupper_loc(void) {
  fill_tables();
  return &upper_from_zero;
}

const int **__ctype_tolower_loc(void) {
  fill_tables();
  return &lower_from_zero;
}

static int is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static int is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_graph(int c) { return c > ' ' && c < 127; }

int isupper(int c) { return is_upper(c) ? 0x100 : 0; }
int islower(int c) { return is_lower(c) ? 0x200 : 0; }
int isalpha(int c) { return is_upper(c) || is_lower(c) ? 0x400 : 0; }
int isdigit(int c) { return is_digit(c) ? 0x800 : 0; }
int isxdigit(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 0x1000 : 0; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r') ? 0x2000 : 0; }
int isprint(int c) { return is_graph(c) || c == ' ' ? 0x4000 : 0; }
int isgraph(int c) { return is_graph(c) ? 0x8000 : 0; }
int isblank(int c) { return c == ' ' || c == '\t' ? 1 : 0; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127 ? 2 : 0; }
int isalnum(int c) { return is_upper(c) || is_lower(c) || is_digit(c) ? 8 : 0; }
int ispunct(int c) { return is_graph(c) && !is_upper(c) && !is_lower(c) && !is_digit(c) ? 4 : 0; }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

int toupper(int c) { return is_lower(c) ? c - 32 : c; }
int tolower(int c) { return is_upper(c) ? c + 32 : c; }

/* Some message, in a place of its own or in that of the message before. */
char *strerror(int number) {
  static char messages[4][64];
  static int last;
  __margay_inexact();
  if (__margay_any_int())
    last = (last + 1) & 3;
  __margay_havoc(messages[last], sizeof messages[last] - 1);
  return messages[last];
}

/* Without a look at what it is given. */
int _toupper(int c) { return c - 32; }
int _tolower(int c) { return c + 32; }
