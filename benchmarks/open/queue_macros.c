/* Lists made by macros, as BSD's queues are, and functions that use each kind. */
#include <stdlib.h>

/* Chain: doubly linked for removal in one step; `from` is where the pointer to this element stands. */
#define CHAIN(name, type) struct name { struct type *first; }
#define CHAIN_LINK(type) struct { struct type *next, **from; }
#define CHAIN_INIT(head) ((head)->first = NULL)
#define CHAIN_PUT_FIRST(head, element, link)                          \
    do {                                                              \
        if (((element)->link.next = (head)->first) != NULL)           \
            (head)->first->link.from = &(element)->link.next;         \
        (head)->first = (element);                                    \
        (element)->link.from = &(head)->first;                        \
    } while (0)
#define CHAIN_TAKE(element, link)                                     \
    do {                                                              \
        if ((element)->link.next != NULL)                             \
            (element)->link.next->link.from = (element)->link.from;   \
        *(element)->link.from = (element)->link.next;                 \
    } while (0)

/* Queue: singly linked; `end` is where the next pointer to a last element goes. */
#define QUEUE(name, type) struct name { struct type *first, **end; }
#define QUEUE_INIT(head) ((head)->first = NULL, (head)->end = &(head)->first)
#define QUEUE_PUT_LAST(head, element, link)                           \
    do {                                                              \
        (element)->link = NULL;                                       \
        *(head)->end = (element);                                     \
        (head)->end = &(element)->link;                               \
    } while (0)
#define QUEUE_TAKE_FIRST(head, link)                                  \
    do {                                                              \
        if (((head)->first = (head)->first->link) == NULL)            \
            (head)->end = &(head)->first;                             \
    } while (0)
#define QUEUE_JOIN(head, other)                                       \
    do {                                                              \
        if ((other)->first != NULL) {                                 \
            *(head)->end = (other)->first;                            \
            (head)->end = (other)->end;                               \
            QUEUE_INIT(other);                                        \
        }                                                             \
    } while (0)

/* Deque: both; a link has the layout of a head, which is how the element before one is found. */
#define DEQUE(name, type) struct name { struct type *first, **end; }
#define DEQUE_LINK(type) struct { struct type *next, **from; }
#define DEQUE_INIT(head) QUEUE_INIT(head)
#define DEQUE_LAST(head, name) (*((struct name *)(head)->end)->end)
#define DEQUE_PREV(element, name, link) (*((struct name *)(element)->link.from)->end)
#define DEQUE_PUT_FIRST(head, element, link)                          \
    do {                                                              \
        if (((element)->link.next = (head)->first) != NULL)           \
            (head)->first->link.from = &(element)->link.next;         \
        else                                                          \
            (head)->end = &(element)->link.next;                      \
        (head)->first = (element);                                    \
        (element)->link.from = &(head)->first;                        \
    } while (0)
#define DEQUE_PUT_LAST(head, element, link)                           \
    do {                                                              \
        (element)->link.next = NULL;                                  \
        (element)->link.from = (head)->end;                           \
        *(head)->end = (element);                                     \
        (head)->end = &(element)->link.next;                          \
    } while (0)
#define DEQUE_TAKE(head, element, link)                               \
    do {                                                              \
        if ((element)->link.next != NULL)                             \
            (element)->link.next->link.from = (element)->link.from;   \
        else                                                          \
            (head)->end = (element)->link.from;                       \
        *(element)->link.from = (element)->link.next;                 \
    } while (0)

struct session {
    int id;
    CHAIN_LINK(session) link;
};
CHAIN(sessions, session);

void sessions_init(struct sessions *all)
{
    CHAIN_INIT(all);
}

struct session *session_open(struct sessions *all, int id)
{
    struct session *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->id = id;
    CHAIN_PUT_FIRST(all, s, link);
    return s;
}

void session_close(struct session *s)
{
    CHAIN_TAKE(s, link);
    free(s);
}

struct session *session_find(struct sessions *all, int id)
{
    struct session *s = all->first;
    while (s && s->id != id)
        s = s->link.next;
    return s;
}

/* Returns -1 where nobody has the number `id`. */
int session_renumber(struct sessions *all, int id, int to)
{
    struct session *s = session_find(all, id);
    if (!s)
        return -1;
    s->id = to;
    return 0;
}

void sessions_free(struct sessions *all)
{
    while (all->first)
        session_close(all->first);
}

struct packet {
    struct packet *link;
    unsigned bytes;
};
QUEUE(packets, packet);

void packets_init(struct packets *q)
{
    QUEUE_INIT(q);
}

int packet_send(struct packets *q, unsigned bytes)
{
    struct packet *p = malloc(sizeof *p);
    if (!p)
        return -1;
    if (bytes == 0) {
        free(p);
        return -1;
    }
    p->bytes = bytes;
    QUEUE_PUT_LAST(q, p, link);
    return 0;
}

/* The size of the packet that is taken; 0 where none waits. */
unsigned packet_receive(struct packets *q)
{
    struct packet *p = q->first;
    unsigned bytes;
    if (!p)
        return 0;
    QUEUE_TAKE_FIRST(q, link);
    bytes = p->bytes;
    free(p);
    return bytes;
}

void packets_join(struct packets *q, struct packets *other)
{
    QUEUE_JOIN(q, other);
}

unsigned packets_free(struct packets *q)
{
    struct packet *p = q->first;
    unsigned bytes = 0;
    while (p) {
        struct packet *next = p->link;
        bytes += p->bytes;
        free(p);
        p = next;
    }
    QUEUE_INIT(q);
    return bytes;
}

struct page {
    unsigned number;
    DEQUE_LINK(page) link;
};
DEQUE(pages, page);

enum { WAYS = 4 };

/* One deque for each way of a cache. */
struct pages *pages_ways(void)
{
    struct pages *all = malloc(WAYS * sizeof *all);
    if (!all)
        return NULL;
    for (int i = 0; i < WAYS; i++)
        DEQUE_INIT(&all[i]);
    return all;
}

void page_add_new(struct pages *all, struct page *p)
{
    DEQUE_PUT_FIRST(all, p, link);
}

void page_add_old(struct pages *all, struct page *p)
{
    DEQUE_PUT_LAST(all, p, link);
}

void page_touch(struct pages *all, struct page *p)
{
    DEQUE_TAKE(all, p, link);
    DEQUE_PUT_FIRST(all, p, link);
}

struct page *page_oldest(struct pages *all)
{
    return DEQUE_LAST(all, pages);
}

struct page *page_newer(struct page *p)
{
    return DEQUE_PREV(p, pages, link);
}

/* Takes the oldest page out; NULL where there is none. */
struct page *page_steal(struct pages *all)
{
    struct page *p = DEQUE_LAST(all, pages);
    if (p)
        DEQUE_TAKE(all, p, link);
    return p;
}

void pages_free(struct pages *all)
{
    struct page *p;
    while ((p = all->first) != NULL) {
        DEQUE_TAKE(all, p, link);
        free(p);
    }
}
