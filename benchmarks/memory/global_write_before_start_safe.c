/* Tests a stack on a global array. */
extern int __VERIFIER_nondet_int(void);

static int pushed, popped;
static int stack[4];
static int *top = stack;

static void push(int v)
{
    pushed++;
    if (top < stack + 4)
        *top++ = v;
}

static int pop(void)
{
    popped++;
    if (top == stack)
        return -1;
    return *--top;
}

int main(void)
{
    if (__VERIFIER_nondet_int())
        push(1);
    push(2);
    pop();
    return pop();
}
