/* Tests that a lock has to be there. */
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
    pthread_mutex_unlock(&shared->lock);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
    return 0;
}
