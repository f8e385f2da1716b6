/* Options of the command line, in an order that is not followed: each call finds one of those there are, a mistake, or the end. */

size_t strlen(const char *s);
void __margay_assume(int condition);
void __margay_inexact(void);
int __margay_any_int(void);
size_t __margay_any_size(void);

int optind = 1, opterr = 1, optopt = '?';
char *optarg;

struct option {
  const char *name;
  int has_argument, *flag, value;
};

/* `options` says by its first letters that a missing argument is told from an unknown option. */
static int mistake(const char *options, int option, int is_missing) {
  optopt = option;
  if (*options == '+' || *options == '-')
    options++;
  return is_missing && *options == ':' ? ':' : '?';
}

/* The argument of an option: what follows it in the same word, or the next word. 0 where there is none. */
static int has_argument(int count, char *const *arguments, int is_optional) {
  int own = optind;
  if (__margay_any_int()) {
    optind++;
    optarg = arguments[own];
    return 1;
  }
  optind++;
  if (is_optional)
    return 1;
  if (optind >= count)
    return 0;
  optarg = arguments[optind++];
  return 1;
}

static int is_over(int count) {
  optarg = 0;
  if (optind == 0)
    optind = 1;
  if (optind >= count || !__margay_any_int())
    return 1;
  __margay_inexact();
  return 0;
}

static int short_option(int count, char *const *arguments, const char *options) {
  size_t length = strlen(options), at = __margay_any_size();
  __margay_assume(at <= length);
  if (*options == '-' && __margay_any_int()) {
    optarg = arguments[optind++];
    return 1;
  }
  if (at == length || options[at] == ':' || (at == 0 && (*options == '-' || *options == '+'))) {
    optind += __margay_any_int() & 1;
    return mistake(options, __margay_any_int() & 127, 0);
  }
  int option = (unsigned char)options[at];
  if (options[at + 1] != ':') {
    optind += __margay_any_int() & 1;
    return option;
  }
  return has_argument(count, arguments, options[at + 2] == ':') ? option : mistake(options, option, 1);
}

int getopt(int count, char *const *arguments, const char *options) {
  return is_over(count) ? -1 : short_option(count, arguments, options);
}

int getopt_long(int count, char *const *arguments, const char *options, const struct option *longs, int *index) {
  if (is_over(count))
    return -1;
  if (__margay_any_int())
    return short_option(count, arguments, options);
  int last = 0, chosen = __margay_any_int();
  while (longs[last].name)
    last++;
  __margay_assume(chosen >= 0 && chosen <= last);
  const struct option *option = &longs[chosen];
  if (chosen == last) {
    optind++;
    return mistake(options, 0, 0);
  }
  if (option->has_argument == 0)
    optind++;
  else if (!has_argument(count, arguments, option->has_argument == 2))
    return mistake(options, option->value, 1);
  if (index)
    *index = chosen;
  if (!option->flag)
    return option->value;
  *option->flag = option->value;
  return 0;
}

int getopt_long_only(int count, char *const *arguments, const char *options, const struct option *longs, int *index) {
  return getopt_long(count, arguments, options, longs, index);
}
