/* Numbers from two kinds of input, kept in one list. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
  int value;
  struct entry *next;
};

static struct entry *push(struct entry *head, int value) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry)
    exit(1);
  entry->value = value;
  entry->next = head;
  return entry;
}

int main(void) {
  struct entry *head = NULL;
  int value;
  while (scanf("%d", &value) == 1)
    head = push(head, value);
  while ((value = getchar()) != EOF)
    head = push(head, value);
  while (head) {
    struct entry *dead = head;
    free(head);
    head = dead->next;
  }
  return 0;
}
