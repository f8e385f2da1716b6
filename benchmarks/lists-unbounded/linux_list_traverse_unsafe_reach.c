/* Forward and backward iteration over an embedded list with the usual macros. Violation: the
 * backward iteration leaves out the first entry.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct list_head { struct list_head *next, *prev; };

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define for_each_entry(pos, head) \
    for (pos = container_of((head)->next, struct task, node); &pos->node != (head); \
         pos = container_of(pos->node.next, struct task, node))
#define for_each_entry_reverse(pos, head) \
    for (pos = container_of((head)->prev, struct task, node); &pos->node != (head); \
         pos = container_of(pos->node.prev, struct task, node))

struct task {
    long pid;
    struct list_head node;
    int state;
};

int main(void)
{
    struct list_head tasks = {&tasks, &tasks};
    struct task *t;
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        t->pid = 1;
        t->state = 0;
        t->node.next = &tasks;
        t->node.prev = tasks.prev;
        tasks.prev->next = &t->node;
        tasks.prev = &t->node;
    }
    for (t = container_of(tasks.prev, struct task, node); t->node.prev != &tasks && &t->node != &tasks;
         t = container_of(t->node.prev, struct task, node))
        t->state = 1;
    for_each_entry(t, &tasks)
        if (t->state != 1)
            reach_error();
    while (tasks.next != &tasks) {
        t = container_of(tasks.next, struct task, node);
        tasks.next = t->node.next;
        free(t);
    }
    return 0;
}
