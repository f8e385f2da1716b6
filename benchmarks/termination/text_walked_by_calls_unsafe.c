// A function is given the place in a text, and returns the same one where an opening bracket stands.
#include <stdio.h>

static const char *skip(const char *text) {
    char first = *text;
    if (first == (char)91) return text;
    text++;
    int more = first == '<' ? 2 : first == '(' ? 1 : 0;
    while (more-- > 0 && *text == first) {
        text++;
    }
    return text;
}

int main(void) {
    char line[200];
    unsigned signs = 0;
    if (!fgets(line, sizeof line, stdin)) return 0;
    const char *at = line;
    while (*at) {
        at = skip(at);
        signs++;
    }
    printf("%u\n", signs);
    return 0;
}
