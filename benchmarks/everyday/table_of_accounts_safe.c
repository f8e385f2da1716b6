/* Accounts in a table of fixed size, found by their number. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { ACCOUNTS = 50 };

struct account {
    int number;
    long balance;
};

struct bank {
    struct account accounts[ACCOUNTS];
    int used;
};

static struct account *find(struct bank *b, int number)
{
    for (int i = 0; i < b->used; i++)
        if (b->accounts[i].number == number)
            return &b->accounts[i];
    return NULL;
}

static struct account *open_account(struct bank *b, int number)
{
    struct account *a = find(b, number);
    if (a || b->used == ACCOUNTS)
        return a;
    a = &b->accounts[b->used++];
    a->number = number;
    a->balance = 0;
    return a;
}

static void close_account(struct bank *b, int number)
{
    struct account *a = find(b, number);
    if (a)
        *a = b->accounts[--b->used];
}

int main(void)
{
    struct bank *b = malloc(sizeof *b);
    if (!b)
        return 1;
    b->used = 0;
    while (__VERIFIER_nondet_int()) {
        int number = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            close_account(b, number);
            continue;
        }
        struct account *a = open_account(b, number);
        if (a)
            a->balance = (int)((unsigned)a->balance + 1u);
    }
    free(b);
    return 0;
}
