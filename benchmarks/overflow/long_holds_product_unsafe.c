/* Tests that one widened operand widens the product. Violation: the product is computed in int
 * before it is widened.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int width = __VERIFIER_nondet_int();
    int height = __VERIFIER_nondet_int();
    if (width < 0 || height < 0)
        return 0;
    long area = width * height;
    return area > 100;
}
