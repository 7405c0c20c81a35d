import { useMemo } from "preact/hooks";
import { compareLines, foldSame } from "./compare-lines.ts";

const signs = { same: " ", gone: "−", new: "+" };
const words = { same: "", gone: "gone: ", new: "new: " };

/** The differences between two texts, line by line. */
export function Differences({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => compareLines(before, after), [before, after]);
  if (lines.every(({ is }) => is === "same")) return <p class="empty">No differences.</p>;
  return (
    <div class="differences">
      {foldSame(lines).map((line, at) =>
        "skipped" in line ? (
          <p key={at} class="dim">
            {line.skipped === 1 ? "… 1 line" : `… ${line.skipped} lines`} as before
          </p>
        ) : (
          <div key={at} class={`code-line ${line.is}`}>
            <span aria-hidden="true">{signs[line.is]}</span>
            <span class="visually-hidden">{words[line.is]}</span>
            <span>{line.text}</span>
          </div>
        ),
      )}
    </div>
  );
}
