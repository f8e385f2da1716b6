struct node { struct node *next; int value; };
int zero(struct node *list) { while (list && list->value) list = list->next; return list->value; }
int sum(const int *a, int n) { unsigned s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
