// Lines begin with an order, which is compared with those that are known; what follows one of them is copied.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[60];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "say ", 4) == 0) {
            char said[56];
            strcpy(said, line + 4);
            puts(said);
        } else if (strcmp(line, "quit") == 0) {
            break;
        } else {
            puts("?");
        }
    }
    return 0;
}
