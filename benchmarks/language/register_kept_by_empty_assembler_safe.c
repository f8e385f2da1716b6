/* Tests empty assembler with operands that are inputs and outputs. */
extern void reach_error(void);

int main(void)
{
    int x = 4, y;
    __asm__("" : "+r"(x));
    __asm__("" : "=r"(y) : "0"(x + 1));
    if (x != 4 || y != 5)
        reach_error();
    return 0;
}
