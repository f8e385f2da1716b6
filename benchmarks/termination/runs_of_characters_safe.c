// Runs of marks and runs of other characters are stepped over in turn, up to the zero at the end.
extern char __VERIFIER_nondet_char(void);

char text[40];

int main(void)
{
    int i, marks = 0;
    for (i = 0; i < 39; i++)
        text[i] = __VERIFIER_nondet_char();
    text[39] = 0;
    i = 0;
    while (text[i] != 0) {
        if (text[i] == '#') {
            while (text[i] == '#')
                i++;
            marks++;
        } else {
            while (text[i] != 0 && text[i] != '#')
                i++;
        }
    }
    return marks;
}
