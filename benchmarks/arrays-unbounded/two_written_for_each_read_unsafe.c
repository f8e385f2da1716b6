// Two characters are written for one or two that are read: there is room for half of them.
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

int main(void)
{
    unsigned long length = __VERIFIER_nondet_uint() & 0xffff;
    char *out = malloc(length + 4);
    unsigned long read = 0, written = 0;
    while (read + 1 < length) {
        out[written++] = '%';
        out[written++] = 'x';
        read += 1 + (__VERIFIER_nondet_uint() & 1);
    }
    out[written] = 0;
    free(out);
    return 0;
}
