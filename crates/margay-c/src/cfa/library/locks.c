/* Locks without threads: they work at once, but the lock has to be there. */

int __margay_any_int(void);
void __margay_inexact(void);

static int touch(void *lock) {
  char seen = *(char *)lock;
  return 0;
}

int pthread_mutex_init(void *lock, const void *attributes) { return touch(lock); }
int pthread_mutex_destroy(void *lock) { return touch(lock); }

/* The lock taken last that is still held, and whether others are held, of which nothing is kept. */
static void *held;
static int has_others;

int pthread_mutex_lock(void *lock) {
  if (held && held != lock)
    has_others = 1;
  held = lock;
  return touch(lock);
}

int pthread_mutex_unlock(void *lock) {
  if (held == lock)
    held = 0;
  return touch(lock);
}

/* A held lock is busy, but for its holder where it is recursive. A free one is taken. */
int pthread_mutex_trylock(void *lock) {
  touch(lock);
  if (held == lock || has_others) {
    int is_busy = __margay_any_int() & 1;
    if (held != lock || !is_busy)
      __margay_inexact();
    return is_busy ? 16 : 0;
  }
  if (held)
    has_others = 1;
  held = lock;
  return 0;
}

int pthread_mutexattr_init(void *attributes) { return touch(attributes); }
int pthread_mutexattr_settype(void *attributes, int type) { return touch(attributes); }
int pthread_mutexattr_destroy(void *attributes) { return touch(attributes); }
int pthread_spin_init(void *lock, int shared) { return touch(lock); }
int pthread_spin_destroy(void *lock) { return touch(lock); }
int pthread_spin_lock(void *lock) { return touch(lock); }
int pthread_spin_unlock(void *lock) { return touch(lock); }
int pthread_rwlock_init(void *lock, const void *attributes) { return touch(lock); }
int pthread_rwlock_destroy(void *lock) { return touch(lock); }
int pthread_rwlock_rdlock(void *lock) { return touch(lock); }
int pthread_rwlock_wrlock(void *lock) { return touch(lock); }
int pthread_rwlock_unlock(void *lock) { return touch(lock); }
int pthread_cond_init(void *condition, const void *attributes) { return touch(condition); }
int pthread_cond_destroy(void *condition) { return touch(condition); }
int pthread_cond_signal(void *condition) { return touch(condition); }
int pthread_cond_broadcast(void *condition) { return touch(condition); }
int pthread_attr_init(void *attributes) { return touch(attributes); }
int pthread_attr_destroy(void *attributes) { return touch(attributes); }
int sem_init(void *semaphore, int shared, unsigned int value) { return touch(semaphore); }
int sem_destroy(void *semaphore) { return touch(semaphore); }
int sem_post(void *semaphore) { return touch(semaphore); }
