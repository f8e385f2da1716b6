#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static const char *role(int level)
{
    if (level > 9)
        return "administrator";
    return level > 0 ? "editor" : "guest";
}

int main(void)
{
    char name[8];
    strcpy(name, role(__VERIFIER_nondet_int()));
    printf("hello %s\n", name);
    return 0;
}
