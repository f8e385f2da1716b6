// The names of a list's items are printed: each item has its own, cut to the room that there is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    char name[24];
};

static struct item *push(struct item *head, const char *name)
{
    struct item *item = malloc(sizeof *item);
    if (item == NULL)
        return head;
    snprintf(item->name, sizeof item->name, "%s", name);
    item->next = head;
    return item;
}

int main(void)
{
    struct item *head = NULL;
    char line[80];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        head = push(head, line);
    }
    for (struct item *item = head; item != NULL; item = item->next)
        printf("%zu %s\n", strlen(item->name), item->name);
    while (head != NULL) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
