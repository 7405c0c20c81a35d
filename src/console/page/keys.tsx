import { useEffect, useRef } from "preact/hooks";
import { goTo } from "./location.ts";
import { keysOf } from "./view.tsx";

/** Milliseconds within which the second letter must follow g. */
const keySequenceMs = 1500;

/** Global shortcut keys: `places` by the letter after g. Keys typed into a field are ignored. */
export function useKeys(places: Readonly<Record<string, () => void>>, onHelp: () => void): void {
  const latest = useRef({ places, onHelp });
  latest.current = { places, onHelp };
  useEffect(() => {
    let goesUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const { key, target } = event;
      const typesInto = "input:not([type=checkbox]), select, textarea";
      if (document.querySelector("dialog[open]") || (target instanceof Element && target.closest(typesInto)))
        return;
      const item = document.activeElement?.closest<HTMLElement>("[data-item]") ?? undefined;
      const goes = performance.now() < goesUntil ? latest.current.places[key] : undefined;
      goesUntil = 0;
      const action = goes ?? actions[key] ?? (key === "?" ? latest.current.onHelp : undefined);
      if (key === "g") goesUntil = performance.now() + keySequenceMs;
      else if (action) action(item);
      else if (item && key === "Enter" && target === item && item.dataset.open) goTo(item.dataset.open);
      else if (item && pressIn(item, key)) event.preventDefault();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const actions: Readonly<Record<string, (item: HTMLElement | undefined) => void>> = {
  j: (item) => move(item, 1),
  k: (item) => move(item, -1),
  "/": () => {
    const fields = document.querySelectorAll<HTMLElement>("[data-search], .filters select, .for-phones");
    [...fields].find((field) => field.checkVisibility())?.focus();
  },
  e: () => document.querySelector<HTMLElement>("[data-edit]")?.focus(),
};

function move(item: HTMLElement | undefined, step: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const at = item ? items.indexOf(item) : -1;
  const next = items[at === -1 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Clicks the button or link with this key in the focused item. */
function pressIn(item: HTMLElement, key: string): boolean {
  const button = item.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  button?.click();
  return button !== null;
}

interface KeyHelpProps {
  sections: readonly { key: string; title: string }[];
  onClose: () => void;
}

export function KeyHelp({ sections, onClose }: KeyHelpProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const lines: readonly (readonly [key: string, what: string])[] = [
    ["j, k", "next item, previous item"],
    ["Enter", "opens the focused case"],
    ["/", "goes to the search"],
    ["e", "edits the case, or the rules"],
    ["x", "selects a review or a cast, to act on several at once"],
    ...sections.map(({ key, title }) => [`g ${key}`, title] as const),
    ...Object.entries(keysOf).map(([label, key]) => [key, `${label} for the focused item`] as const),
    ["Esc", "closes a question; nothing is done"],
  ];
  return (
    <dialog ref={dialog} class="answer" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        {lines.map(([key, what]) => (
          <div key={`${key} ${what}`}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button quiet">Close</button>
      </form>
    </dialog>
  );
}
