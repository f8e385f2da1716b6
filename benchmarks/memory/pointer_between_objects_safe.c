/* Tests that a pointer belongs to the object it comes from: one past an array is not the variable
 * behind it.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[2] = {1, 2};
    int w[2] = {3, 4};
    int *p = __VERIFIER_nondet_int() ? v : w;
    int *end = p + 2;
    int s = 0;
    while (p != end)
        s += *p++;
    return s;
}
