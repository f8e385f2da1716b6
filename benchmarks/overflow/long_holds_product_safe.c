/* Tests that one widened operand widens the product. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int width = __VERIFIER_nondet_int();
    int height = __VERIFIER_nondet_int();
    if (width < 0 || height < 0)
        return 0;
    long area = (long)width * height;
    return area > 100;
}
