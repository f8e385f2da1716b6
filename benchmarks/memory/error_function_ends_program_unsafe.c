/* Tests clean-up at a call of the error function, which ends the program. Violated: a block is left there. */
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    char *block = malloc(8);
    if (__VERIFIER_nondet_int()) {
        reach_error();
        free(block);
        return 0;
    }
    free(block);
    return 0;
}
