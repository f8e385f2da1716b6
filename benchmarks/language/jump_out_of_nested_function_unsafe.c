/* Tests a jump out of a function within another one to a label of that one. */
#include <stdlib.h>

struct node { struct node *next; };

static void walk(struct node *list, void (*visit)(struct node *)) {
  for (; list; list = list->next)
    visit(list);
}

int main(void) {
  __label__ found;
  struct node *last = malloc(sizeof *last), *first = malloc(sizeof *first);
  last->next = 0;
  first->next = last;
  void look(struct node *node) {
    if (!node->next)
      goto found;
  }
  walk(first, look);
  free(last);
found:
  free(first);
  return 0;
}
