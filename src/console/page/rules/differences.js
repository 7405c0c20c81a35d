import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { compareLines, foldSame } from "./compare-lines.js";

const signs = { same: " ", gone: "−", new: "+" };
const words = { gone: "gone: ", new: "new: " };

/** What differs between two texts, line by line. */
export function Differences({ before, after }) {
  const lines = useMemo(() => compareLines(before, after), [before, after]);
  if (lines.every(({ is }) => is === "same")) return html`<p class="empty">They are the same.</p>`;
  return html`
    <div class="differences">
      ${foldSame(lines).map((line, at) =>
        line.skipped
          ? html`<p key=${at} class="dim">
              ${line.skipped === 1 ? "… 1 line" : `… ${line.skipped} lines`} as before
            </p>`
          : html`<div key=${at} class=${`code-line ${line.is}`}>
              <span aria-hidden="true">${signs[line.is]}</span>
              <span class="visually-hidden">${words[line.is]}</span>
              <code>${line.text}</code>
            </div>`,
      )}
    </div>
  `;
}
