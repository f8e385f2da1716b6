// The same, but once only.
#include <string.h>

int main(void) {
    const char *text = NULL;
    unsigned long length = 0;
    while (strnlen(text, length) == length) {
        length--;
        text = "";
    }
    return 0;
}
