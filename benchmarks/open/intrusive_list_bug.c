/* Rings of links inside larger structs, with planted faults in what uses them, each where the
 * expectations beside this file say: job_run (null dereference), jobs_free (use after free),
 * jobs_run_ends (double free), job_submit (memory leak), jobs_cost (out of bounds). */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define for_each_safe(at, after, head) \
    for (at = (head)->next, after = at->next; at != (head); at = after, after = at->next)

void list_init(struct link *head)
{
    head->next = head->prev = head;
}

static inline void between(struct link *new, struct link *prev, struct link *next)
{
    next->prev = new;
    new->next = next;
    new->prev = prev;
    prev->next = new;
}

void list_add(struct link *new, struct link *head)
{
    between(new, head, head->next);
}

void list_add_tail(struct link *new, struct link *head)
{
    between(new, head->prev, head);
}

static inline void join(struct link *prev, struct link *next)
{
    next->prev = prev;
    prev->next = next;
}

void list_del(struct link *entry)
{
    join(entry->prev, entry->next);
    entry->next = NULL;
    entry->prev = NULL;
}

void list_del_init(struct link *entry)
{
    join(entry->prev, entry->next);
    list_init(entry);
}

void list_move(struct link *entry, struct link *head)
{
    join(entry->prev, entry->next);
    list_add(entry, head);
}

void list_move_tail(struct link *entry, struct link *head)
{
    join(entry->prev, entry->next);
    list_add_tail(entry, head);
}

void list_replace(struct link *old, struct link *new)
{
    new->next = old->next;
    new->next->prev = new;
    new->prev = old->prev;
    new->prev->next = new;
}

bool list_empty(const struct link *head)
{
    return head->next == head;
}

bool list_is_singular(const struct link *head)
{
    return !list_empty(head) && head->next == head->prev;
}

/* The first entry becomes the last. */
void list_rotate_left(struct link *head)
{
    if (!list_empty(head))
        list_move_tail(head->next, head);
}

/* Puts all entries of `from` between `prev` and `next`. */
static void splice_between(const struct link *from, struct link *prev, struct link *next)
{
    struct link *first = from->next, *last = from->prev;
    first->prev = prev;
    prev->next = first;
    last->next = next;
    next->prev = last;
}

void list_splice(const struct link *from, struct link *head)
{
    if (!list_empty(from))
        splice_between(from, head, head->next);
}

void list_splice_tail_init(struct link *from, struct link *head)
{
    if (list_empty(from))
        return;
    splice_between(from, head->prev, head);
    list_init(from);
}

/* Moves what stands in `head` up to `entry` to the head `to`, whose entries are lost. */
void list_cut_position(struct link *to, struct link *head, struct link *entry)
{
    struct link *rest = entry->next;
    if (list_empty(head) || entry == head) {
        list_init(to);
        return;
    }
    join(to, head->next);
    join(entry, to);
    join(head, rest);
}

struct job {
    int priority;
    struct link waiting; /* not the first member, on purpose */
    long cost;
};

struct job *job_of(struct link *at)
{
    return container_of(at, struct job, waiting);
}

struct job *job_new(int priority, long cost)
{
    struct job *j = malloc(sizeof *j);
    if (!j)
        return NULL;
    j->priority = priority;
    j->cost = cost;
    list_init(&j->waiting);
    return j;
}

/* Jobs wait in order of priority, the higher ones first. */
void job_enqueue(struct job *j, struct link *queue)
{
    struct link *at;
    for_each(at, queue)
        if (job_of(at)->priority < j->priority)
            break;
    list_add_tail(&j->waiting, at);
}

/* A new job in a queue; none has a negative priority. */
int job_submit(struct link *queue, int priority, long cost)
{
    struct job *j = job_new(priority, cost);
    if (!j)
        return -1;
    if (priority < 0)
        return -1;
    job_enqueue(j, queue);
    return 0;
}

/* The first job, taken out; NULL where nothing waits. */
struct job *job_dequeue(struct link *queue)
{
    struct job *j;
    if (list_empty(queue))
        return NULL;
    j = job_of(queue->next);
    list_del_init(&j->waiting);
    return j;
}

/* What the dearest of four classes of priority costs. */
long jobs_cost(struct link *queue)
{
    long cost[4] = { 0, 0, 0, 0 }, most = 0;
    struct link *at;
    for_each(at, queue)
        cost[job_of(at)->priority & 3] += job_of(at)->cost;
    for (int i = 0; i <= 4; i++)
        if (cost[i] > most)
            most = cost[i];
    return most;
}

/* Runs the first job, if there is one, and ends it. */
long job_run(struct link *queue)
{
    struct job *j = job_dequeue(queue);
    long cost;
    cost = j->cost;
    free(j);
    return cost;
}

/* Runs the first and the last job; a single one runs once. */
long jobs_run_ends(struct link *queue)
{
    struct job *first = job_of(queue->next), *last = job_of(queue->prev);
    long cost;
    if (list_empty(queue))
        return 0;
    list_del_init(&first->waiting);
    cost = first->cost;
    if (last != first) {
        list_del_init(&last->waiting);
        cost += last->cost;
    }
    free(last);
    free(first);
    return cost;
}

/* Ends every job of a priority below `least`. */
void jobs_drop(struct link *queue, int least)
{
    struct link *at, *after;
    for_each_safe(at, after, queue)
        if (job_of(at)->priority < least) {
            list_del(at);
            free(job_of(at));
        }
}

void jobs_free(struct link *queue)
{
    struct link *at;
    for_each(at, queue)
        free(job_of(at));
    list_init(queue);
}
