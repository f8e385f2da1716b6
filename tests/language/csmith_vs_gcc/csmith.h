/* What Csmith's programs include, without the parts that print: `checksum` is what a program comes to. */
#include <float.h>
#include <limits.h>
#include <stdint.h>

double fabs(double);
float fabsf(float);
double ldexp(double, int);
int strcmp(const char *, const char *);
void *memset(void *, int, __SIZE_TYPE__);

#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#include <csmith/safe_math.h>

static unsigned checksum = 0xFFFFFFFFu;
static unsigned crc32_context;

static void crc32_gentab(void) {}

static void crc32_byte(unsigned char byte) {
  checksum ^= byte;
  for (int i = 0; i < 8; i++)
    checksum = (checksum >> 1) ^ (0xEDB88320u & -(checksum & 1));
}

static void transparent_crc(uint64_t value, char *name, int flag) {
  for (int i = 0; i < 8; i++)
    crc32_byte(value >> (8 * i));
}

static void transparent_crc_bytes(char *bytes, int count, char *name, int flag) {
  for (int i = 0; i < count; i++)
    crc32_byte(bytes[i]);
}

static void platform_main_begin(void) {}
static void platform_main_end(unsigned crc, int flag) {}
