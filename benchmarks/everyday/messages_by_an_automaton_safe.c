/* Messages with a length byte, taken apart byte by byte: what is written where hangs on the state and the length, and on no statistics. */
#include <stdio.h>

enum step { IDLE, LENGTH, BODY };

struct reader {
    unsigned long messages, dropped, bytes;
    enum step step;
    unsigned char want, have;
    unsigned char body[10];
};

static void take(struct reader *r, unsigned char byte)
{
    r->bytes++;
    if (r->step == IDLE) {
        if (byte == '<')
            r->step = LENGTH;
        else
            r->dropped++;
    } else if (r->step == LENGTH) {
        if (byte == 0 || byte > sizeof r->body) {
            r->dropped++;
            r->step = IDLE;
            return;
        }
        r->want = byte;
        r->have = 0;
        r->step = BODY;
    } else {
        r->body[r->have++] = byte;
        if (r->have == r->want) {
            r->messages++;
            r->step = IDLE;
        }
    }
}

int main(void)
{
    static struct reader r;
    int c;
    while ((c = getchar()) != EOF)
        take(&r, (unsigned char)c);
    printf("%lu messages, %lu of %lu bytes dropped\n", r.messages, r.dropped, r.bytes);
    return 0;
}
