/* Tests an array that takes its length from a compound literal. */
static int three[] = (int[3]){1};

int main(void) { return three[3] + (int)sizeof three; }
