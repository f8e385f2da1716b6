/* Two counters that are equal where a flag says so. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int turned = __VERIFIER_nondet_int();
    unsigned left = 0, right = turned ? 0 : 5, steps = 0;
    while (__VERIFIER_nondet_int()) {
        steps++;
        left += 3;
        right += (left - right);
    }
    if (turned && left != right) reach_error();
    if (turned && left != 3 * steps) reach_error();
    return 0;
}
