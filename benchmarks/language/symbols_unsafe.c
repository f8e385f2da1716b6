/* Tests names that the linker sees: assembler names, other names of one thing, weak ones. */
// One object or function may have several names: assembler names, pragmas and attributes say which.
extern void reach_error(void);

int count(void) __asm__("number_of_calls");
static int calls;
int number_of_calls(void) { return ++calls; }

int total = 3;
extern int sum __attribute__((alias("total")));

#pragma weak again = number_of_calls
int again(void);

#pragma redefine_extname other_name number_of_calls
int other_name(void);

static int once_more(void) __attribute__((weakref("number_of_calls")));

extern int nowhere(void) __attribute__((weak));

int main(void) {
    count();
    again();
    other_name();
    once_more();
    sum += calls;
    if (total == 7 && !nowhere) reach_error();
    return 0;
}
