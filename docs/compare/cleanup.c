/* Two buffers and one exit: the cleanup by goto that is common in C. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct message {
    char *head, *body;
};

static int receive(char *buffer, size_t size)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    memset(buffer, 'x', size);
    return 0;
}

static int load(struct message *message)
{
    char *body = NULL;
    char *head = malloc(8);
    if (head == NULL)
        return -1;
    if (receive(head, 8) != 0)
        goto fail;
    body = malloc(64);
    if (body == NULL)
        goto fail;
    if (receive(body, 64) != 0)
        goto fail;
    message->head = head;
    message->body = body;
    return 0;
fail:
    free(body);
    free(head);
    return -1;
}

int main(void)
{
    struct message message;
    if (load(&message) != 0)
        return 1;
    int first = message.head[0] + message.body[63];
    free(message.body);
    free(message.head);
    return first > 0;
}
