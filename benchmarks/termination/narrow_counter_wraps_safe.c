// A counter of a byte reaches every end below its range, and none beyond.
int main(void)
{
    int rounds = 0;
    for (unsigned char i = 0; i < 250; i++)
        rounds = (rounds + 1) & 7;
    return rounds;
}
