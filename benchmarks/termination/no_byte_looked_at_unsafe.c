// A search of no bytes finds none, even where there is no text.
#include <string.h>

int main(void) {
    const char *text = NULL;
    unsigned long length = 0;
    while (strnlen(text, length) == length) {
    }
    return 0;
}
