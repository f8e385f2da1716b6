/* Long conditions that look at variables only are one value; those that do more, or are short, branch. */
int a, b, c, d;
int *p;

int row(int input) { return a == 1 && (b == 2 || b == 3) && !(c == 4) && input == 5 ? 1 : 0; }

void as_statement(void) {
	if (a == 1 && b == 2 && c == 3 && d == 4)
		a = 2;
	while (a == 1 || b == 2 || c == 3 || !(d == 4 && a == 5))
		a = 3;
}

int divides(void) { return a == 1 && b != 0 && c == 3 && d / b == 4 ? 1 : 0; }

int reads(void) { return a == 1 && p != 0 && c == 3 && *p == 4 ? 1 : 0; }

int writes(void) { return a == 1 && b == 2 && c == 3 && (d = 4) ? 1 : 0; }

int is_short(void) { return a == 1 && b == 2 && c == 3 ? 1 : 0; }
int main(void) { as_statement(); return row(5) + divides() + reads() + writes() + is_short(); }
