/* Tests assembler of instructions that compute. */
extern void reach_error(void);
int main(void)
{
    int x = 2, y = 3, z;
    __asm__("addl %1, %0\n\tshll $1, %0" : "+r"(x) : "r"(y) : "cc");
    __asm__("movl %[from], %[to]; incl %[to]" : [to] "=&r"(z) : [from] "r"(x));
    if (z != 11)
        reach_error();
    return 0;
}
