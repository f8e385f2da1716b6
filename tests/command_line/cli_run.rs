//! `margay run` shows what the compiled program shows: its output, its exit status, what it makes of arguments and input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Programs with the arguments and the input they are given.
const PROGRAMS: [(&str, &[&str], &str); 8] = [
    // Functions of streams that have a model for proofs alone take the streams of a run as well.
    (
        r#"#include <stdio.h>
        int main(void) {
            setvbuf(stdout, 0, _IOLBF, 0);
            setbuf(stderr, 0);
            flockfile(stdout);
            puts("locked");
            funlockfile(stdout);
            clearerr(stdin);
            fputs(fileno(stderr) == 2 ? "two\n" : "other\n", stdout);
            return 4 + fileno(stdout);
        }"#,
        &[],
        "",
    ),
    (
        r#"#include <stdio.h>
        int main(void) {
            printf("%d|%5d|%-5d|%05d|%+d|%x|%#X|%o|%u|%c|%%\n", -7, 42, 42, 42, 42, 255, 255, 8, 3000000000u, 'c');
            printf("%ld %lld %hd %hhd %zu %s|%8s|%-8s|%.2s\n", 1L << 40, -1LL, (short)70000, (char)300, sizeof(int), "text", "ab", "ab", "abc");
            printf("%f %.2f %e %g %g %10.3f|%-10.1f|\n", 1.5, 2.0 / 3, 12345.678, 0.0001, 1e20, 3.14159, 2.25);
            printf("%*d %.*f %s\n", 6, 1, 3, 0.5, (char *)"");
            printf("%.1Lf %Lg %d\n", 2.5L, -0.125L, 7);
            fprintf(stderr, "an error %d\n", 1);
            puts("a line");
            putchar('x');
            fputs("y\n", stdout);
            fwrite("bytes\n", 1, 6, stdout);
            return 3;
        }"#,
        &[],
        "",
    ),
    (
        r#"#include <stdio.h>
        int main(int argc, char **argv) {
            for (int i = 1; i < argc; i++)
                printf("%d: %s\n", i, argv[i]);
            return argc;
        }"#,
        &["one", "two words", "-x"],
        "",
    ),
    (
        r#"#include <stdio.h>
        int main(void) {
            char line[16];
            int c, lines = 0;
            while (fgets(line, sizeof line, stdin))
                printf("%d %s", ++lines, line);
            c = getchar();
            printf("%d %d\n", c, feof(stdin) != 0);
            return lines;
        }"#,
        &[],
        "first\nsecond line that is long\nlast",
    ),
    (
        r#"#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            int a, n; unsigned x; char word[8]; long l;
            n = scanf("%d %7s %x,%ld", &a, word, &x, &l);
            printf("%d: %d %s %u %ld\n", n, a, word, x, l);
            while ((n = getchar()) != EOF)
                putchar(n == '\n' ? '.' : n);
            exit(5);
        }"#,
        &[],
        " 12 hello ff,-3\nrest\n",
    ),
    (
        r#"#include <stdio.h>
        #include <string.h>
        int main(void) {
            char buffer[20];
            int n = snprintf(buffer, sizeof buffer, "%06.2f|%s", 3.14159, "a long text that is cut");
            printf("%d %zu %s\n", n, strlen(buffer), buffer);
            sprintf(buffer, "%3d%%", 50);
            puts(buffer);
            return 0;
        }"#,
        &[],
        "",
    ),
    (
        r#"#include <stdio.h>
        int main(void) {
            unsigned hash = 1;
            for (int i = 0; i < 300000; i++)
                hash = hash * 31 + (i ^ (hash >> 7));
            printf("%u\n", hash);
            return hash & 127;
        }"#,
        &[],
        "",
    ),
    ("#include <stdlib.h>\nint main(void) { abort(); }", &[], ""),
];

#[test]
fn runs_show_what_the_compiled_program_shows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (index, (program, arguments, input)) in PROGRAMS.iter().enumerate() {
        fs::write(path.join("p.c"), program).unwrap();
        fs::write(path.join("input"), input).unwrap();
        let built = Command::new("gcc").args(["-w", "-o", "p", "p.c"]).current_dir(path).status();
        if !built.is_ok_and(|status| status.success()) {
            println!("left out: there is no gcc here");
            return;
        }
        let file = fs::File::open(path.join("input")).unwrap();
        let expected = Command::new(path.join("p")).args(*arguments).stdin(file).output().unwrap();
        let mut all = vec!["run", "p.c", "--stdin", "input"];
        arguments.iter().for_each(|argument| all.extend(["--argv", argument]));
        let found = margay(path, &all);
        assert_eq!(text(&found.stdout), text(&expected.stdout), "program {index}");
        let err = text(&found.stderr);
        assert!(err.starts_with(&text(&expected.stderr)) && err.contains("Outcome: "), "program {index}: {err}");
        // A shell adds 128 to the number of a signal.
        assert_eq!(found.status.code(), expected.status.code().or(Some(134)), "program {index}: {err}");
    }
}

#[test]
fn a_run_that_goes_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let program =
        "#include <stdio.h>\nint main(void) {\n  int a[2] = {1, 2};\n  puts(\"before\");\n  return a[2];\n}\n";
    fs::write(path.join("p.c"), program).unwrap();
    let found = margay(path, &["run", "p.c"]);
    let err = text(&found.stderr);
    assert_eq!(text(&found.stdout), "before\n");
    assert!(err.contains("p.c:5") && err.contains("Outcome: valid-deref is violated"), "{err}");
    assert_eq!(found.status.code(), Some(120));
    fs::write(path.join("q.c"), "int main(void) { for (int i = 1; i; ) ; return 0; }").unwrap();
    assert_eq!(margay(path, &["run", "q.c"]).status.code(), Some(121));
    assert_eq!(margay(path, &["run", "q.c", "--stdin", "missing"]).status.code(), Some(2));
}
