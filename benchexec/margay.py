"""BenchExec's tool-info module for Margay: how BenchExec calls it, and what its output means.

BenchExec finds the module by the name `margay` when it is in the folder of its package `benchexec.tools`; `README.md` beside
this file has the command.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException

# The line with the answer; it is the last one of its kind.
VERDICT = "Verification result: "
# The same of a witness, and what a confirmed violation violates.
JUDGEMENT = "Witness result: "
VIOLATED = "Violated: "
# Names of the witnesses in the working directory, as SV-COMP's `<resultfiles>` expect them.
WITNESS_GRAPHML = "witness.graphml"
WITNESS_YAML = "witness.yml"


class Tool(benchexec.tools.template.BaseTool2):
    """Margay, a software verifier for C."""

    # libz3, which the executable finds beside itself.
    REQUIRED_PATHS = ["lib"]

    def name(self):
        return "Margay"

    def executable(self, tool_locator):
        return tool_locator.find_executable("margay")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="margay")

    def cmdline(self, executable, options, task, rlimits):
        task_options = task.options if isinstance(task.options, dict) else {}
        language = task_options.get("language", "C")
        if language != "C":
            raise UnsupportedFeatureException(f"Margay verifies C, not {language}")
        # `validate` as the first option: the others name a witness, and what is done is to judge it.
        is_validation = options[:1] == ["validate"]
        command = [executable, *options] if is_validation else [executable, "verify", *options]

        def add(names, value):
            """An option of BenchExec's or the task's; what the user gives in the benchmark definition counts more."""
            if value is not None and not _is_given(options, names):
                command.extend([names[0], value])

        add(["--property", "-p"], task.property_file)
        add(["--data-model", "-d"], task_options.get("data_model"))
        add(["--timeout", "-t"], _less(rlimits.cputime))
        add(["--walltime"], _less(rlimits.walltime))
        add(["--memory", "-m"], _memory(rlimits))
        if not is_validation and not _is_given(options, ["--no-witness"]):
            add(["--witness"], WITNESS_GRAPHML)
            add(["--witness-yaml"], WITNESS_YAML)
        # A file whose name begins with a dash is a file all the same.
        return [*command, "--", task.single_input_file]

    def determine_result(self, run):
        judgement = _last_value(run.output, JUDGEMENT)
        if judgement is not None:
            return _judged(run, judgement)
        answer = _last_value(run.output, VERDICT)
        if answer is None or run.exit_code.value != 0:
            return _failure(run)
        if answer == "TRUE":
            return result.RESULT_TRUE_PROP
        violated = re.fullmatch(r"FALSE\(([a-z-]+)\)", answer)
        if violated:
            return f"{result.RESULT_FALSE_PROP}({violated.group(1)})"
        why = _reason(answer)
        if why is None:
            return f"{result.RESULT_ERROR} (answer not understood)"
        if why.startswith("timeout"):
            return result.RESULT_TIMEOUT
        if why.startswith("out of memory"):
            return "OUT OF MEMORY"
        if why.startswith("internal"):
            return f"{result.RESULT_ERROR} (internal)"
        return result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """A figure that `--stats` prints as `identifier: value`, or why the answer is UNKNOWN (`reason`)."""
        if identifier == "reason":
            return _reason(_last_value(output, VERDICT) or "")
        return _last_value(output, f"{identifier}: ")


def _judged(run, judgement):
    """What was confirmed, or that the witness was rejected: that says nothing of the program."""
    if judgement == "CONFIRMED" and run.exit_code.value == 0:
        violated = _last_value(run.output, VIOLATED)
        if violated is None:
            return result.RESULT_TRUE_PROP
        return f"{result.RESULT_FALSE_PROP}({violated.split(':', 1)[0]})"
    word = judgement.split(" ", 1)[0]
    if word in ("REJECTED", "MALFORMED"):
        return f"witness {word.lower()}"
    return result.RESULT_UNKNOWN


def _is_given(options, names):
    """Whether the option with these names is among `options`, as a word of its own or with its value after `=`."""
    return any(word.split("=", 1)[0] in names for word in options)


def _less(limit):
    """Seconds for a limit of Margay's, a little less than BenchExec's: an answer must be out before the limit."""
    return f"{limit - _margin(limit):g}" if limit else None


def _margin(seconds):
    """A fiftieth, but a second at least where that leaves something: a process needs time to begin and to end."""
    return min(max(seconds / 50, 1), seconds / 2)


def _memory(rlimits):
    """Bytes for `--memory`. BenchExec counts files in memory, too, so Margay stops before it is stopped."""
    return str(rlimits.memory * 97 // 100) if rlimits.memory else None


def _last_value(output, start):
    """The rest of the last line that begins with `start`."""
    values = (line[len(start) :].strip() for line in reversed(output) if line.startswith(start))
    return next(values, None)


def _reason(answer):
    """What stands in the parentheses of `UNKNOWN (…)`."""
    match = re.fullmatch(r"UNKNOWN \((.*)\)", answer)
    return match.group(1) if match else None


def _failure(run):
    """What to say where Margay ended without an answer. BenchExec itself names signals and limits."""
    if run.exit_code.value == 2 and not run.was_terminated:
        return f"{result.RESULT_ERROR} (input refused)"
    return result.RESULT_ERROR
