struct p { int x, y; }; struct big { struct p a; char name[8]; struct p *next; };
struct p mk(int x, struct p q) { q.x = x; return q; }
struct p ext(void);
struct big g = { {1}, "ab", &g.a };
int main(void) {
  struct p q = {1, 2}, r = {3};
  q = mk(4, r);
  int s = mk(5, q).y;
  struct big b = { .name = "hello", .a = q };
  struct p e = ext();
  b.a = s ? q : r;
  struct p *pp = &b.a; pp[1].x = sizeof(struct big);
  return (int)(pp - &q) + e.x;
}
