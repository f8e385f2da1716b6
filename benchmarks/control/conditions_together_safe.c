// Flags around a ring: neighbours differ, but an odd number of them cannot. Each condition by itself decides nothing.
extern void abort(void);
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void require(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    if (!__VERIFIER_nondet_bool())
        return 0;

    int flag_0 = __VERIFIER_nondet_bool();
    int flag_1 = __VERIFIER_nondet_bool();
    int flag_2 = __VERIFIER_nondet_bool();
    int flag_3 = __VERIFIER_nondet_bool();
    int flag_4 = __VERIFIER_nondet_bool();
    int flag_5 = __VERIFIER_nondet_bool();
    int flag_6 = __VERIFIER_nondet_bool();
    int flag_7 = __VERIFIER_nondet_bool();
    int flag_8 = __VERIFIER_nondet_bool();
    int flag_9 = __VERIFIER_nondet_bool();
    int flag_10 = __VERIFIER_nondet_bool();
    int flag_11 = __VERIFIER_nondet_bool();
    int flag_12 = __VERIFIER_nondet_bool();
    int flag_13 = __VERIFIER_nondet_bool();
    int flag_14 = __VERIFIER_nondet_bool();
    int flag_15 = __VERIFIER_nondet_bool();
    int flag_16 = __VERIFIER_nondet_bool();
    int flag_17 = __VERIFIER_nondet_bool();
    int flag_18 = __VERIFIER_nondet_bool();
    int flag_19 = __VERIFIER_nondet_bool();
    int flag_20 = __VERIFIER_nondet_bool();
    int flag_21 = __VERIFIER_nondet_bool();
    int flag_22 = __VERIFIER_nondet_bool();
    int flag_23 = __VERIFIER_nondet_bool();
    int flag_24 = __VERIFIER_nondet_bool();
    require(((flag_0 == 0) & (flag_1 == 1)) | ((flag_0 == 1) & (flag_1 == 0)));
    require(((flag_1 == 0) & (flag_2 == 1)) | ((flag_1 == 1) & (flag_2 == 0)));
    require(((flag_2 == 0) & (flag_3 == 1)) | ((flag_2 == 1) & (flag_3 == 0)));
    require(((flag_3 == 0) & (flag_4 == 1)) | ((flag_3 == 1) & (flag_4 == 0)));
    require(((flag_4 == 0) & (flag_5 == 1)) | ((flag_4 == 1) & (flag_5 == 0)));
    require(((flag_5 == 0) & (flag_6 == 1)) | ((flag_5 == 1) & (flag_6 == 0)));
    require(((flag_6 == 0) & (flag_7 == 1)) | ((flag_6 == 1) & (flag_7 == 0)));
    require(((flag_7 == 0) & (flag_8 == 1)) | ((flag_7 == 1) & (flag_8 == 0)));
    require(((flag_8 == 0) & (flag_9 == 1)) | ((flag_8 == 1) & (flag_9 == 0)));
    require(((flag_9 == 0) & (flag_10 == 1)) | ((flag_9 == 1) & (flag_10 == 0)));
    require(((flag_10 == 0) & (flag_11 == 1)) | ((flag_10 == 1) & (flag_11 == 0)));
    require(((flag_11 == 0) & (flag_12 == 1)) | ((flag_11 == 1) & (flag_12 == 0)));
    require(((flag_12 == 0) & (flag_13 == 1)) | ((flag_12 == 1) & (flag_13 == 0)));
    require(((flag_13 == 0) & (flag_14 == 1)) | ((flag_13 == 1) & (flag_14 == 0)));
    require(((flag_14 == 0) & (flag_15 == 1)) | ((flag_14 == 1) & (flag_15 == 0)));
    require(((flag_15 == 0) & (flag_16 == 1)) | ((flag_15 == 1) & (flag_16 == 0)));
    require(((flag_16 == 0) & (flag_17 == 1)) | ((flag_16 == 1) & (flag_17 == 0)));
    require(((flag_17 == 0) & (flag_18 == 1)) | ((flag_17 == 1) & (flag_18 == 0)));
    require(((flag_18 == 0) & (flag_19 == 1)) | ((flag_18 == 1) & (flag_19 == 0)));
    require(((flag_19 == 0) & (flag_20 == 1)) | ((flag_19 == 1) & (flag_20 == 0)));
    require(((flag_20 == 0) & (flag_21 == 1)) | ((flag_20 == 1) & (flag_21 == 0)));
    require(((flag_21 == 0) & (flag_22 == 1)) | ((flag_21 == 1) & (flag_22 == 0)));
    require(((flag_22 == 0) & (flag_23 == 1)) | ((flag_22 == 1) & (flag_23 == 0)));
    require(((flag_23 == 0) & (flag_24 == 1)) | ((flag_23 == 1) & (flag_24 == 0)));
    require(((flag_24 == 0) & (flag_0 == 1)) | ((flag_24 == 1) & (flag_0 == 0)));
    reach_error();
    return 0;
}
