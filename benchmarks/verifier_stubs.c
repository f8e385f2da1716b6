/* What a task's __VERIFIER functions do when it is compiled and run for a check of its verdict.
 *
 * Nondeterministic values come from VERIFIER_INPUTS (numbers separated by blanks) as long as it
 * lasts, then from a generator seeded by VERIFIER_SEED that prefers small and boundary values.
 * What happens is told on standard error in lines that start with "VERIFIER:".
 * Compile the task with -Dmain=task_main -finstrument-functions, this file without.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int task_main(int argc, char **argv, char **envp);
extern int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                     void (*on_free)(const volatile void *));

static unsigned long long state;
static const char *inputs;
static long live_blocks;
static int in_task;

static void tell(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        _exit(3);
}

static unsigned long long random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dULL;
}

/* A value of `width` bits, to be cut and sign-extended by the caller's return type. */
static long long value(int width)
{
    static int calls;
    if (inputs != NULL) {
        char *end;
        long long given = strtoll(inputs, &end, 0);
        if (end != inputs) {
            inputs = end;
            return given;
        }
        inputs = NULL;
    }
    if (++calls > 3000)
        _exit(0); /* a run that does not end shows nothing */
    unsigned long long bits = random_bits() >> 3;
    switch (bits % 16) {
    case 0: case 1: case 2: case 3:
        return 0;
    case 4: case 5: case 6: case 7: case 8:
        return (long long)(bits / 16 % 4);
    case 9: case 10: case 11:
        return (long long)(bits / 16 % 20) - 5;
    case 12:
        return (long long)((1ULL << (width - 1)) - 1 - bits / 16 % 2);
    case 13:
        return (long long)((1ULL << (width - 1)) + bits / 16 % 2);
    case 14:
        return -1;
    default:
        return (long long)random_bits();
    }
}

#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)value(8 * sizeof(type)); }
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned int)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
#ifdef __SIZEOF_INT128__
__int128 __VERIFIER_nondet_int128(void) { return (__int128)value(64) << 64 | (unsigned long long)value(64); }
unsigned __int128 __VERIFIER_nondet_uint128(void) { return (unsigned __int128)__VERIFIER_nondet_int128(); }
#endif
_Bool __VERIFIER_nondet_bool(void) { return value(8) & 1; }
double __VERIFIER_nondet_double(void) { return (double)value(32) / 4; }
float __VERIFIER_nondet_float(void) { return (float)value(16) / 4; }

void __VERIFIER_nondet_memory(void *start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)start)[i] = (unsigned char)value(8);
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(0);
}

__attribute__((weak)) void reach_error(void)
{
    tell("VERIFIER: reach_error called\n");
    _exit(1);
}

/* Sees a reach_error that the task defines itself. */
void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (function == (void *)&reach_error) {
        tell("VERIFIER: reach_error called\n");
        _exit(1);
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}

static void on_malloc(const volatile void *block, size_t size)
{
    (void)size;
    if (in_task && block != NULL)
        live_blocks++;
}

static void on_free(const volatile void *block)
{
    if (in_task && block != NULL)
        live_blocks--;
}

/* Runs after the task's own atexit handlers, as it is registered before them. */
static void at_end(void)
{
    in_task = 0;
    if (live_blocks > 0)
        tell("VERIFIER: blocks are live at the end\n");
}

static void at_abort(int signal_number)
{
    (void)signal_number;
    at_end();
    _exit(134);
}

/* Leaves no old pointers on the stack for the leak checker to find. */
static __attribute__((noinline)) void scrub_stack(void)
{
    volatile char unused[1 << 14];
    for (size_t i = 0; i < sizeof unused; i++)
        unused[i] = 0;
}

int main(int argc, char **argv, char **envp)
{
    const char *seed = getenv("VERIFIER_SEED");
    inputs = getenv("VERIFIER_INPUTS");
    state = 0x9e3779b97f4a7c15ULL * (1 + (seed ? strtoull(seed, NULL, 10) : 0));
    for (int i = 0; i < 10; i++)
        random_bits();
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    atexit(at_end);
    signal(SIGABRT, at_abort);
    in_task = 1;
    int status = task_main(argc, argv, envp);
    scrub_stack();
    return status;
}
