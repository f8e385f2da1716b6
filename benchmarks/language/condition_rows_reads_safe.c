/* Rows of conditions whose variables are written between them: by assignments, through pointers, in callees and in loops. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int state = 1, mode = 2, level = 3, count;
int *place = &mode;

static void change(void) { level = 4; }

static void loop(void)
{
	int rounds = 0;
	if (state == 1 && mode == 2 && level == 3 && count == 0)
		rounds = 1;
	while (rounds < 3) {
		if (state == 1 && mode == 2 && level == 3 && count == 2)
			break;
		count = count + 1;
		rounds = rounds + 1;
	}
	if (count != 2)
		reach_error();
}

static void jump(void)
{
	int passed = 0;
	if (state == 1 && mode == 2 && level == 3 && count == 2)
		passed = 1;
again:
	if (state == 1 && mode == 2 && level == 3 && count == 5)
		passed = 2;
	if (passed == 1) {
		count = 5;
		goto again;
	}
	if (passed != 2)
		reach_error();
}

int main(void)
{
	int input = __VERIFIER_nondet_int();
	loop();
	jump();
	if (state == 1 && mode == 2 && level == 3 && input == 5) {
		state = 2;
		if (state == 1 && mode == 2 && level == 3 && input == 5)
			reach_error();
		*place = 7;
		if (state == 2 && mode == 2 && level == 3 && input == 5)
			reach_error();
		change();
		if (state == 2 && mode == 7 && level == 3 && input == 5)
			reach_error();
		else if (state == 2 && mode == 7 && level == 4 && input == 5)
			state = 9;
	} else if (state == 1 && mode == 2 && level == 3 && input == 6) {
		state = 9;
	} else {
		mode = 8;
	}
	if ((state == 1 || mode == 2) && level == 3 && input == 5)
		reach_error();
	if (!(state == 9 || (mode == 8 && state == 1)) || (state == 9 && mode == 8))
		reach_error();
	return 0;
}
