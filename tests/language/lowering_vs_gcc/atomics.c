/* Atomic built-ins without threads. */
static unsigned sum;
static void add(long x) { sum = sum * 31 + (unsigned)x; }
static int flag; static long counter = 5; static char *where; static char text[] = "text"; static unsigned char byte, lock;
int main(void) {
  add(__sync_fetch_and_add(&counter, 3)); add(__sync_add_and_fetch(&counter, 1)); add(__sync_sub_and_fetch(&counter, 20)); add(__sync_fetch_and_or(&flag, 6)); add(__sync_and_and_fetch(&flag, 3)); add(__sync_fetch_and_and(&flag, 1)); add(__sync_xor_and_fetch(&flag, 9)); add(__sync_fetch_and_nand(&flag, 1)); add(flag);
  add(__sync_bool_compare_and_swap(&flag, -2, 4)); add(__sync_bool_compare_and_swap(&flag, 3, 5)); add(__sync_val_compare_and_swap(&flag, 4, 8)); add(flag); add(__sync_lock_test_and_set(&flag, 1)); __sync_lock_release(&flag); add(flag); __sync_synchronize();
  add(__atomic_load_n(&counter, 5)); __atomic_store_n(&counter, 77, 5); add(counter); add(__atomic_exchange_n(&counter, 78, 5)); long expected = 1; add(__atomic_compare_exchange_n(&counter, &expected, 2, 0, 5, 5)); add(expected); add(__atomic_compare_exchange_n(&counter, &expected, 2, 0, 5, 5)); add(counter);
  long loaded, desired = 90; __atomic_load(&counter, &loaded, 5); add(loaded); __atomic_store(&counter, &desired, 5); __atomic_exchange(&counter, &desired, &loaded, 5); add(loaded); add(__atomic_fetch_add(&counter, 4, 5)); add(__atomic_add_fetch(&counter, 4, 5)); add(__atomic_fetch_and(&counter, 6, 5)); add(__atomic_nand_fetch(&counter, 2, 5)); add(__atomic_or_fetch(&counter, 1, 0));
  __atomic_store_n(&where, text, 5); add(*__atomic_load_n(&where, 5)); add(__sync_bool_compare_and_swap(&where, text, text + 1)); add(*where); add(__atomic_fetch_sub(&byte, 1, 5)); add(byte); add(__atomic_test_and_set(&lock, 5)); add(__atomic_test_and_set(&lock, 5)); __atomic_clear(&lock, 5); add(lock); __atomic_thread_fence(5);
  return (int)((sum ^ sum >> 16) & 0xff) ^ (int)(sum >> 24);
}
