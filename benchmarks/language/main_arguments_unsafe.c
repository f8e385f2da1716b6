/* Tests argc and argv: argv[argc] is null, the strings before it are readable. Violation: there
 * may be one argument only.
 */
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc < 1)
        return 0;
    if (argv[argc] != 0)
        reach_error();
    int length = 0;
    while (argv[0][length] != 0)
        length++;
    if (length < 0 || argc == 1)
        reach_error();
    return 0;
}
