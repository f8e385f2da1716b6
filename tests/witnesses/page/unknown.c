int main(void)
{
    __asm__ volatile("cpuid" ::: "memory");
    return 0;
}
