int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0; while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
int printf(const char *, ...);
int main(void) { int x = sum(2, 3, 4L); printf("%d %s\n", x, "abc"); return x; }
