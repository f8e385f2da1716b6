// Three jobs get rounds of a schedule; each writes to the shared variable in the rounds it runs in, and a variable
// begins each round with a guess of what the round before leaves. Guesses that were wrong are discarded at the end.
extern void abort(void);
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define ROUNDS 24

unsigned char begins[ROUNDS], now[ROUNDS];
unsigned char first[3], last[3];
unsigned char round;

static void assume(_Bool fact)
{
    if (!fact)
        abort();
}

static void go_on(unsigned char job)
{
    if (__VERIFIER_nondet_bool()) {
        unsigned char before = round;
        round = __VERIFIER_nondet_uchar();
        assume(round >= before && round <= last[job]);
    }
}

static void work(unsigned char job)
{
    round = first[job];
    go_on(job);
    unsigned char seen = now[round];
    go_on(job);
    now[round] = seen < 3 ? seen + 1 : seen;
}

int main(void)
{
    unsigned char n, job;
    for (n = 0; n < ROUNDS; n++) {
        begins[n] = n == 0 ? 0 : __VERIFIER_nondet_uchar();
        now[n] = begins[n];
    }
    for (job = 0; job < 3; job++) {
        first[job] = __VERIFIER_nondet_uchar();
        last[job] = __VERIFIER_nondet_uchar();
        assume(first[job] <= last[job] && last[job] < ROUNDS);
        assume(job == 0 || first[job] >= first[job - 1]);
    }
    for (job = 0; job < 3; job++)
        work(job);
    for (n = 1; n < ROUNDS; n++)
        assume(begins[n] == now[n - 1]);
    // Jobs that overlap may write what they read before.
    if (now[ROUNDS - 1] != 3)
        reach_error();
    return 0;
}
