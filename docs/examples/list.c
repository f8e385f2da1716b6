#include <stdlib.h>
struct node { struct node *next; int value; };
void push(struct node **h, int v) { struct node *n = malloc(sizeof *n); n->next = *h; n->value = v; *h = n; }
int length(struct node *h) { int n = 0; while (h) { n++; h = h->next; } return n; }
void twice(void *p) { free(p); free(p); }
