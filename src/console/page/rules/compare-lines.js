/** More comparisons than a page should make at once. */
const most = 4_000_000;

/** Two texts line by line: each line with `is` "same", "gone" or "new", in an order in which both can be read. */
export function compareLines(before, after) {
  const [old, now] = [before.trimEnd().split("\n"), after.trimEnd().split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const left = Math.min(old.length, now.length) - start;
  while (end < left && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const as = (is) => (text) => ({ is, text });
  return [
    ...old.slice(0, start).map(as("same")),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(as("same")),
  ];
}

/** By their longest common part. */
function compareMiddle(old, now) {
  const lines = [];
  const common = old.length * now.length > most ? () => 0 : measure(old, now);
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ is: "same", text: old[i] });
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ is: "gone", text: old[i] });
      i += 1;
    } else {
      lines.push({ is: "new", text: now[j] });
      j += 1;
    }
  }
  return lines;
}

/** How many lines the rests from two places on have in common. */
function measure(old, now) {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  return (i, j) => lengths[i * width + j];
}

/** Leaves out what stays the same, but for `around` lines beside a change: `{skipped}` stands in its place. */
export function foldSame(lines, around = 3) {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ is }) => is !== "same"),
  );
  const folded = [];
  for (const [at, line] of lines.entries()) {
    const last = folded.at(-1);
    if (isNear[at]) folded.push(line);
    else if (last?.skipped) last.skipped += 1;
    else folded.push({ skipped: 1 });
  }
  return folded;
}
