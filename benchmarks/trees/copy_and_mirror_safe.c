/* Trees whose nodes own a name: copied, mirrored, destroyed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { char *name; struct node *left, *right; };

static struct node *make(char first)
{
    struct node *n = malloc(sizeof *n);
    n->name = malloc(8);
    n->name[0] = first;
    n->left = n->right = NULL;
    return n;
}

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = make('a');
    n->left = build();
    n->right = build();
    return n;
}

static struct node *copy(const struct node *t)
{
    if (!t)
        return NULL;
    struct node *n = make(t->name[0]);
    n->left = copy(t->left);
    n->right = copy(t->right);
    return n;
}

static void mirror(struct node *t)
{
    if (!t)
        return;
    struct node *other = t->left;
    t->left = t->right;
    t->right = other;
    mirror(t->left);
    mirror(t->right);
}

static void destroy(struct node *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t->name);
    free(t);
}

int main(void)
{
    struct node *a = build();
    struct node *b = copy(a);
    mirror(b);
    destroy(a);
    destroy(b);
    return 0;
}
