/* Conditions of many comparisons; two inputs lead through both rows, which line 24 calls an error. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int state = 1, mode = 2, level = 3, divisor;
int *place;

static int row(int input)
{
	if (((state == 1 && (mode == 2 || mode == 7)) && !(level == 4)) && input == 5) {
		state = 2;
		return 1;
	} else if (state == 2 && mode == 2 && !(level != 3) && (input == 6 || input == 7)) {
		state = 3;
		return 2;
	}
	return 0;
}

int main(void)
{
	int first = row(__VERIFIER_nondet_int());
	int second = row(__VERIFIER_nondet_int());
	if (second == 2 && first == 1)
		reach_error();
	if (state == 3 && mode == 2 && level == 3 && second != 2)
		reach_error();
	/* Neither is evaluated: null is not read, and nothing is divided by zero. */
	if (state >= 1 && mode == 2 && place != 0 && *place == 4)
		reach_error();
	if (state >= 1 && mode == 2 && divisor != 0 && level / divisor == 4)
		reach_error();
	/* The last operand has an effect only where it is evaluated. */
	if (state >= 1 && mode == 2 && level == 4 && (mode = 9))
		reach_error();
	if (mode != 2)
		reach_error();
	return 0;
}
