struct n { struct n *next; int v; } *head; int arr[3][4]; short s; char buf[] = "hey";
static int st(void) { static int count = 5; return count++; }
int main(void) {
  void *tab[] = { &&l1, &&l2 };
  int i = 0, j = st();
  arr[i++][j] = i; 
  int *p = &arr[1][2]; *p++ = 3; p[-1] ^= 1;
  struct n *t = head; while (t && t->v != j) t = t->next;
  s = j; s += 70000; buf[0]++;
  goto *tab[i];
  l1: j += i, i = j;
  l2: do { j--; if (j == 4) continue; } while (j > 0);
  char local[20] = "0123456789abcdefg"; char small[4] = "xy";
  unsigned r; _Bool o = __builtin_add_overflow(i, j, &r);
  int __attribute__((unused)) k = __sync_fetch_and_add(&i, 2);
  return local[1] + small[2] + o + r + k;
}
