// A question is asked again by a call until it is answered.
// An answer that is never right is asked for in calls without end. Violates termination.
extern int __VERIFIER_nondet_int(void);
static int asked;

static int ask(int least, int most)
{
    int answer = __VERIFIER_nondet_int();
    if (answer >= least && answer <= most)
        return answer;
    if (asked == 40)
        return least;
    return ask(least, most);
}

int main(void)
{
    return ask(1, 6) < 1;
}
