/* Tests a pointer to a variable of a loop's body. */

int main(void)
{
    int keep = 0;
    int *last = &keep;
    for (int i = 0; i < 3; i++) {
        int local = i;
        last = &local;
        keep += *last;
    }
    return keep;
}
