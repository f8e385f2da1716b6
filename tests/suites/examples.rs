//! The answers quoted in the README and in `docs/examples.md` are what the tool prints.

use std::path::Path;
use std::process::Command;

/// What `margay ARGUMENTS` prints in a folder that looks like the project.
fn printed(arguments: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for name in ["benchmarks", "docs", "property-files"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_margay"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Commands with the output that follows them in blocks of a text.
fn quoted(file: &str, prompt: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.filter_map(|block| block.strip_prefix(prompt)?.split_once('\n'));
    commands.map(|(command, output)| (command.to_owned(), output.to_owned())).collect()
}

#[test]
fn five_mistakes_are_shown_as_quoted() {
    let commands = quoted("docs/examples.md", "$ margay ");
    assert_eq!(commands.len(), 5);
    for (command, output) in commands {
        assert_eq!(printed(&command), output, "{command}");
    }
}

#[test]
fn the_readme_begins_with_what_is_printed() {
    let commands = quoted("README.md", "$ ./run.sh verify ");
    assert_eq!(commands.len(), 1);
    for (command, output) in commands {
        assert_eq!(printed(&format!("verify {command}")), output, "{command}");
    }
}

/// What was typed is told: bytes that library functions put into memory.
#[test]
fn what_was_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    let text = "#include <stdio.h>\nint main(void) {\n  char line[8], to[4];\n  if (fgets(line, 8, stdin) == 0) return 0;\n  \
                if (line[0] == 'q' && line[1] == 'x') to[line[0]] = 1;\n  return 0;\n}\n";
    std::fs::write(&file, text).unwrap();
    let reported = printed(&format!("verify {} --no-witness", file.display()));
    assert!(reported.contains("Given in memory: variable `line` of `main`: \"qx"), "{reported}");
    assert!(reported.ends_with("Verification result: FALSE(valid-deref)\n"), "{reported}");
}
