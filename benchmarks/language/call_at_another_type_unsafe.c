/* C leaves a call through a pointer of another type undefined; compiled code makes it. */
extern void reach_error(void);

static void handle(int code)
{
    if (code == 3)
        reach_error();
}

struct operations {
    void (*notify)(long code, long extra);
};

static struct operations table = { (void (*)(long, long))handle };

int main(void)
{
    table.notify(3, 4);
    return 0;
}
