/* A lock with ten digits: whoever hits a wrong one begins anew. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int place = 0;
static int alarms = 0;

static int digit(int at) {
    switch (at) {
    case 0: return 4;
    case 1: return 0;
    case 2: return 7;
    case 3: return 7;
    case 4: return 2;
    case 5: return 9;
    case 6: return 1;
    case 7: return 5;
    case 8: return 3;
    default: return 8;
    }
}

static void press(int key) {
    if (key == digit(place)) {
        place++;
    } else {
        place = 0;
        alarms = (alarms * 5 + key) % 10007;
    }
}

int main(void) {
    while (1) {
        int key = __VERIFIER_nondet_int();
        if (key == 0 || key == 1 || key == 2 || key == 3 || key == 4 || key == 5 || key == 7 || key == 8 || key == 9)
            press(key);
        if (place == 10) reach_error();
    }
}
