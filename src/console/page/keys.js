import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { goTo } from "./location.js";
import { keysOf } from "./view.js";

/** How long after g the second letter may come, in milliseconds. */
const keySequenceMs = 1500;

/** Keys for everywhere: `places` by the letter after g. What is typed into a field is nobody's key. */
export function useKeys(places, onHelp) {
  const latest = useRef();
  latest.current = { places, onHelp };
  useEffect(() => {
    let goesUntil = 0;
    const onKey = (event) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (
        document.querySelector("dialog[open]") ||
        event.target.closest?.("input:not([type=checkbox]), select, textarea")
      )
        return;
      const { key } = event;
      const item = document.activeElement?.closest("[data-item]");
      const goes = performance.now() < goesUntil ? latest.current.places[key] : undefined;
      goesUntil = 0;
      const action = goes ?? actions[key] ?? (key === "?" ? latest.current.onHelp : undefined);
      if (key === "g") goesUntil = performance.now() + keySequenceMs;
      else if (action) action(item);
      else if (item && key === "Enter" && event.target === item && item.dataset.open) goTo(item.dataset.open);
      else if (item && pressIn(item, key)) event.preventDefault();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const actions = {
  j: (item) => move(item, 1),
  k: (item) => move(item, -1),
  "/": () => document.querySelector("[data-search], .filters select")?.focus(),
  e: () => document.querySelector("[data-edit]")?.focus(),
};

function move(item, step) {
  const items = [...document.querySelectorAll("[data-item]")];
  const at = items.indexOf(item);
  const next = items[at === -1 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Presses the button, or follows the link, of this key in what has the focus. */
function pressIn(item, key) {
  const button = item.querySelector(`[data-key="${CSS.escape(key)}"]`);
  button?.click();
  return button !== null;
}

export function KeyHelp({ sections, onClose }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const lines = [
    ["j, k", "the next one, the one before"],
    ["Enter", "opens the case that has the focus"],
    ["/", "to the search"],
    ["e", "edits the case, or the rules"],
    ["x", "chooses a review, to decide several at once"],
    ...sections.map(({ key, title }) => [`g ${key}`, title]),
    ...Object.entries(keysOf).map(([label, key]) => [key, `${label}, of what has the focus`]),
    ["Esc", "closes a question; nothing is done"],
  ];
  return html`
    <dialog ref=${dialog} class="answer" aria-label="Keys" onClose=${onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        ${lines.map(
          ([key, what]) =>
            html`<div key=${`${key} ${what}`}>
              <dt><kbd>${key}</kbd></dt>
              <dd>${what}</dd>
            </div>`,
        )}
      </dl>
      <form method="dialog"><button class="button quiet">Close</button></form>
    </dialog>
  `;
}
