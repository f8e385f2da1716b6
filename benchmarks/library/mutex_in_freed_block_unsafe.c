/* Tests that a lock has to be there. Violated: it stands in a freed block. */
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t lock;
    int count;
};

int main(void)
{
    struct shared *shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    pthread_mutex_lock(&shared->lock);
    shared->count = 1;
    free(shared);
    pthread_mutex_unlock(&shared->lock);
    return 0;
}
