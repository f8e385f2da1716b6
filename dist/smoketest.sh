#!/bin/sh
# Whether Margay works on this machine: a proof, a violation of each kind, and an honest "unknown". Runs from any folder.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
failed=0

# ask PROGRAM PROPERTY ANSWER
ask() {
    answer=$("$here/margay" verify --timeout 60 --no-witness --property "$here/property-files/$2.prp" "$here/examples/$1" |
        sed -n 's/^Verification result: //p')
    if [ "$answer" = "$3" ]; then
        echo "ok: $1 [$2]: $answer"
    else
        echo "failed: $1 [$2]: expected $3, got '$answer'"
        failed=1
    fi
}

"$here/margay" --version || failed=1
ask list_safe.i valid-memsafety "TRUE"
ask list_use_after_free.i valid-memsafety "FALSE(valid-deref)"
ask list_leak.i valid-memcleanup "FALSE(valid-memcleanup)"
ask list_safe.i unreach-call "TRUE"
ask list_safe.i no-overflow "TRUE"
[ $failed = 0 ] && echo "Margay works."
exit $failed
