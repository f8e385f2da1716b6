/* A clock without end, and two that read it in turn: once in 64 steps one of them is not told. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

unsigned now = 0, seen = 0, sent = 0;
int stage = 0;

static void tick(void) {
    now++;
    if (now % 64 != 63) stage = 1;
}

static void read_it(void) {
    seen = now;
    stage = 2;
}

static void send_it(void) {
    if (sent != seen && seen - sent > 1) reach_error();
    sent = seen;
    stage = 0;
}

int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int()) continue;
        if (stage == 0) tick();
        else if (stage == 1) read_it();
        else send_it();
    }
}
