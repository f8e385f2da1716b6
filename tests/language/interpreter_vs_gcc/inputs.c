/* The __VERIFIER functions of a compiled task: values come one by one from the file named by TASK_INPUTS (hexadecimal
 * numbers, one a line), zeros after its end. The task is compiled with -finstrument-functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ERROR_STATUS = 77, BLOCKED_STATUS = 78, RUNAWAY_STATUS = 79 };

static FILE *inputs;

static unsigned long long next(void)
{
    static long beyond;
    static int is_open;
    unsigned long long value = 0;
    if (!is_open) {
        const char *name = getenv("TASK_INPUTS");
        inputs = name != NULL ? fopen(name, "r") : NULL;
        is_open = 1;
    }
    if (inputs == NULL || fscanf(inputs, "%llx", &value) != 1) {
        value = 0;
        if (++beyond > 100000)
            _exit(RUNAWAY_STATUS);
    }
    return value;
}

#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)next(); }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(unsigned, unsigned int)
NONDET(u32, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(pointer, void *)
NONDET(pchar, char *)
#ifdef __SIZEOF_INT128__
unsigned __int128 __VERIFIER_nondet_uint128(void)
{
    unsigned long long low = next();
    return (unsigned __int128)next() << 64 | low;
}
__int128 __VERIFIER_nondet_int128(void) { return (__int128)__VERIFIER_nondet_uint128(); }
#endif

float __VERIFIER_nondet_float(void)
{
    unsigned bits = (unsigned)next();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double __VERIFIER_nondet_double(void)
{
    unsigned long long bits = next();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(BLOCKED_STATUS);
}

__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}
__attribute__((weak)) void reach_error(void) { _exit(ERROR_STATUS); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(ERROR_STATUS); }

/* Sees the error functions that a task defines itself. */
void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (function == (void *)&reach_error || function == (void *)&__VERIFIER_error)
        _exit(ERROR_STATUS);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}
