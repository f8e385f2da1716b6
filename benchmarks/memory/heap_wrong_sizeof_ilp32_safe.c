/* Tests the size of an allocated structure. */
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern void free(void *ptr);

struct record {
    int id;
    char name[20];
};

int main(void)
{
    struct record *r = malloc(sizeof(*r));
    r->id = 1;
    r->name[19] = 0;
    free(r);
    return 0;
}
