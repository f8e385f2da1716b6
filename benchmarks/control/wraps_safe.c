/* Counters that wrap: what the machine does at the largest number is no error, and nothing else happens there. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
	unsigned char small = 250;
	unsigned int count = 0, wrapped = 0;
	while (__VERIFIER_nondet_int()) {
		unsigned int given = __VERIFIER_nondet_uint();
		if (given + 1 < given && given != 4294967295u)
			reach_error();
		small++;
		if (small == 0)
			wrapped = 1;
		if (small < 250 && wrapped == 0)
			reach_error();
		if (count < 3)
			count++;
	}
	if (count > 3)
		reach_error();
	return 0;
}
