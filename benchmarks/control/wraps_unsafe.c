/* A counter of eight bits wraps after six rounds, which line 17 takes for an error. */
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
		if (small < 250 && wrapped == 1)
			reach_error();
		if (count < 3)
			count++;
	}
	if (count > 3)
		reach_error();
	return 0;
}
