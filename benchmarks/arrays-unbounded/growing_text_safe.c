/* A text is read into a buffer that doubles while there is no room for one more character and the zero. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t room = 16, length = 0;
    char *text = malloc(room);
    int c;
    while ((c = getchar()) != EOF) {
        if (length + 1 >= room) {
            if (room > 500000)
                break;
            room *= 2;
            text = realloc(text, room);
        }
        text[length++] = (char)c;
    }
    text[length] = 0;
    free(text);
    return 0;
}
