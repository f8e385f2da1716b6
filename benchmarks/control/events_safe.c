/* A machine of events and states. One of its numbers is divided and moved again and again, so that it has ever new values, of which
   only the range counts. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int state = 1, mode = 7, level = 30;

static int step(int input)
{
	if (state == 3 && mode == 7 && 80 < level && input == 2) {
		reach_error();
	} else if (state == 1 && mode == 7 && (-43 < level && 11 >= level) && input == 1) {
		level = level / 5 - 440;
		state = 2;
		return 21;
	} else if (state == 1 && mode == 7 && (11 < level && 80 >= level) && input == 2) {
		level = level / 5 - 5;
		return 22;
	} else if (state == 2 && mode == 7 && level <= -43 && (input == 1 || input == 3)) {
		level = level / 5;
		state = 3;
		return 23;
	} else if (state == 3 && mode == 7 && level <= 11 && input == 3) {
		level = level - 1;
		if (level < -1000)
			level = -43;
		state = 2;
		return 24;
	}
	return -1;
}

int main(void)
{
	int output = -1;
	while (1) {
		int input = __VERIFIER_nondet_int();
		if (input < 1 || input > 3)
			return 0;
		output = step(input);
	}
}
