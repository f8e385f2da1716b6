#!/bin/sh
# Makes the pictures of pages beside this file with a headless Chromium, and looks on each page for what sticks out of the window:
# docs/images/make.sh target/release/margay. Run it in the root of the checkout.
set -eu
margay=$(realpath "$1")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

page() { "$margay" verify --no-config --no-witness --html "$work/$1.html" "benchmarks/$2.yml" | tail -n 1; }
page list-bug lists/sll_delete_by_key_unsafe
page leak memory/lost_by_overwriting_unsafe
page array arrays/fill_any_length_unsafe
page overflow overflow/addition_unsafe
page list lists/csll_walk_safe
page tree trees/stack_of_nodes_safe
"$margay" bench benchmarks/memory.set --csv "$work/new.csv" --html "$work/bench.html" > /dev/null
"$margay" bench benchmarks/memory.set --csv "$work/old.csv" --engines precise > /dev/null || true
"$margay" report "$work/new.csv" --compare "$work/old.csv" --html "$work/compare.html" > /dev/null || true
"$margay" audit docs/examples --no-config --cache "$work/cache" --patience 1s --timeout 60s --latent --fail-on never --html "$work/audit.html" > /dev/null

chromium() {
    timeout 60 "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
        --virtual-time-budget=3000 "$@" 2> /dev/null
}

# A window cannot be as narrow as a telephone, a frame can.
frame() { printf '<body style="margin:0"><iframe id="page" src="%s.html" style="width:%spx;height:900px;border:0"></iframe>' "$1" "$2"; }

# Name, page, width, 0 for dark and 1 for light.
picture() {
    frame "$2" "$3" > "$work/frame.html"
    chromium --blink-settings=preferredColorScheme="$4" --window-size="$3",900 --screenshot="$root/docs/images/$1.png" \
        "file://$work/frame.html" > /dev/null
}
picture violation list-bug 1400 1
picture violation-narrow list-bug 500 0
picture proof tree 1400 0
picture results compare 1400 1
picture audit audit 1400 1

# What is wider than the window and lies in nothing that scrolls.
cat > "$work/check" <<'SCRIPT'
<script>addEventListener("load", () => setTimeout(() => {
  const width = document.documentElement.clientWidth, scrolls = element => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return true;
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e));
  document.title = wide.length ? "too wide: " + wide[0].tagName : "fits";
}, 300));</script>
SCRIPT
for page in list-bug leak array overflow list tree bench compare audit; do
    # The policy of some pages allows no script.
    grep -v Content-Security-Policy "$work/$page.html" | cat - "$work/check" > "$work/checked.html"
    for width in 1400 420; do
        { frame checked "$width"; echo '<pre id="out"></pre><script>setTimeout(() => out.textContent = page.contentDocument.title, 1500)</script>'; } > "$work/frame.html"
        said=$(chromium --dump-dom "file://$work/frame.html" | sed -n 's/.*<pre id="out">\([^<]*\)<.*/\1/p')
        echo "$page $width: $said"
        [ "$said" = fits ] || failed=1
    done
done
exit "${failed:-0}"
