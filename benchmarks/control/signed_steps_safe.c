/* A number that goes up and down by what is given, within bounds that keep it from leaving its range. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
	int mode = 0, level = 0;
	while (1) {
		int given = __VERIFIER_nondet_int();
		if (mode == 0 && given == 1) {
			mode = 1;
		} else if (mode == 1 && level < 2147483647) {
			level = level + 1;
			mode = given == 2 ? 2 : 1;
		} else if (mode == 2 && level > -2147483647) {
			level = level - 1;
			mode = 0;
		}
		if (mode > 2)
			reach_error();
	}
}
