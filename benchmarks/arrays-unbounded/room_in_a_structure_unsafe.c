// How much room there is stands in a structure beside the buffer: the zero may find none.
extern int __VERIFIER_nondet_int(void);

struct buffer {
    char *text;
    unsigned long room;
};

static void append(struct buffer *buffer, unsigned long *length)
{
    while (__VERIFIER_nondet_int())
        if (*length < buffer->room)
            buffer->text[(*length)++] = 'x';
}

int main(void)
{
    char text[40];
    struct buffer buffer = { text, sizeof text };
    while (__VERIFIER_nondet_int()) {
        unsigned long length = 0;
        append(&buffer, &length);
        text[length] = '\0';
    }
    return 0;
}
