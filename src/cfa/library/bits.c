typedef int unused;
