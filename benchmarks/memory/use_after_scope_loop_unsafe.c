/* Tests a pointer to a variable of a loop's body. Violation: the variable of the last pass is gone
 * after the loop.
 */

int main(void)
{
    int keep = 0;
    int *last = &keep;
    for (int i = 0; i < 3; i++) {
        int local = i;
        last = &local;
        keep += *last;
    }
    return *last;
}
