/* A table of remainders is made and used: each number in it is a hash of its place, of which only eight bits decide. */
#include <stdio.h>

static unsigned table[256];

int main(void)
{
    unsigned char text[128];
    unsigned sum = 1;
    for (unsigned place = 0; place < 256; place++) {
        unsigned value = place;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0x8408u ^ (value >> 1) : value >> 1;
        table[place] = value;
    }
    for (;;) {
        size_t count = fread(text, 1, sizeof text, stdin);
        if (count == 0)
            break;
        for (size_t i = 0; i < count; i++)
            sum = table[(sum ^ text[i]) & 0xFF] ^ (sum >> 8);
    }
    printf("%u\n", sum);
    return 0;
}
