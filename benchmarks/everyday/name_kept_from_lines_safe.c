/* Keeps the name that a line gives, and says it when a line asks for it. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[100];
    char name[24] = "";
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (line[0] == '=') {
            size_t length = strcspn(line + 1, "\n");
            if (length >= sizeof name)
                length = sizeof name - 1;
            memcpy(name, line + 1, length);
            name[length] = '\0';
        } else if (line[0] == '-') {
            name[0] = '\0';
        } else if (line[0] == '?') {
            printf("%zu: %s\n", strlen(name), name);
        }
    }
    return 0;
}
