/* A small machine with a stack that runs a program from outside. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { STACK = 16 };
enum op { PUSH, ADD, SWAP, DROP, STOP };

struct machine {
    int stack[STACK];
    int top;
    int failed;
};

static void push(struct machine *m, int value)
{
    if (m->top >= STACK)
        m->failed = 1;
    else
        m->stack[m->top++] = value;
}

static int pop(struct machine *m)
{
    if (m->top < 0) {
        m->failed = 1;
        return 0;
    }
    return m->stack[--m->top];
}

int main(void)
{
    struct machine m = { .top = 0 };
    int running = 1;
    while (running && !m.failed) {
        int a, b;
        switch ((enum op)__VERIFIER_nondet_int()) {
        case PUSH:
            push(&m, __VERIFIER_nondet_int());
            break;
        case ADD:
            a = pop(&m);
            b = pop(&m);
            push(&m, (int)((unsigned)a + (unsigned)b));
            break;
        case SWAP:
            a = pop(&m);
            b = pop(&m);
            push(&m, a);
            push(&m, b);
            break;
        case DROP:
            pop(&m);
            break;
        default:
            running = 0;
        }
    }
    return m.failed;
}
