import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { complete } from "./complete.js";

/** A field for YAML that offers what may stand at the caret. Tab leaves it, unless something is offered. */
export function CodeField({ label, value, schema, root, onInput, onSubmit }) {
  const field = useRef(null);
  const list = useRef(null);
  const [offer, setOffer] = useState();
  const close = () => setOffer(undefined);
  const look = (isWanted) => {
    const { value: text, selectionStart: caret, selectionEnd: end } = field.current;
    const found = caret === end ? complete(schema, root, text, caret) : undefined;
    if (!found || found.choices.length === 0 || (!isWanted && found.word === "")) close();
    else setOffer({ ...found, at: 0, ...placeOf(text, caret) });
  };
  const take = ({ insert }) => {
    const { selectionStart: caret } = field.current;
    field.current.setSelectionRange(caret - offer.word.length, caret);
    write(field.current, insert);
    close();
    // A key is followed by what it takes.
    if (insert.endsWith(": ")) look(true);
  };
  const onKeyDown = (event) => {
    const { key } = event;
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit();
    else if (key === " " && event.ctrlKey) look(true);
    else if (offer && (key === "ArrowDown" || key === "ArrowUp")) {
      const count = offer.choices.length;
      setOffer({ ...offer, at: (offer.at + (key === "ArrowDown" ? 1 : count - 1)) % count });
    } else if (offer && (key === "Enter" || key === "Tab") && !event.shiftKey) take(offer.choices[offer.at]);
    else if (offer && key === "Escape") close();
    else if (key === "Enter" && !event.shiftKey) write(field.current, `\n${indentAfter(field.current)}`);
    else return;
    event.preventDefault();
  };
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [offer],
  );
  const scrolled = field.current ?? { scrollLeft: 0, scrollTop: 0 };
  return html`
    <div class="code">
      <label>
        <span class="visually-hidden">${label}</span>
        <textarea
          ref=${field}
          wrap="off"
          rows="18"
          spellcheck=${false}
          autocapitalize="off"
          autocomplete="off"
          aria-autocomplete="list"
          aria-controls="offered"
          aria-activedescendant=${offer ? `offered-${offer.at}` : undefined}
          value=${value}
          data-edit
          onInput=${(event) => {
            onInput(event.target.value);
            look(false);
          }}
          onKeyDown=${onKeyDown}
          onClick=${close}
          onScroll=${close}
          onBlur=${close}
        ></textarea>
      </label>
      <ul
        id="offered"
        ref=${list}
        role="listbox"
        aria-label="What may stand here"
        class="offered"
        hidden=${!offer}
        style=${
          offer && {
            left: `max(0px, min(calc(${offer.column}ch + 10px - ${scrolled.scrollLeft}px), 100% - 300px))`,
            top: `calc(${offer.line + 1} * 1.5em + 10px - ${scrolled.scrollTop}px)`,
          }
        }
      >
        ${offer?.choices.map(
          (choice, at) => html`
            <li
              key=${choice.insert}
              id=${`offered-${at}`}
              role="option"
              aria-selected=${at === offer.at}
              onMouseDown=${(event) => {
                event.preventDefault();
                take(choice);
              }}
            >
              ${choice.label} <span class="dim">${choice.detail}</span>
            </li>
          `,
        )}
      </ul>
      <p class="dim keys-line"><kbd>Ctrl</kbd> <kbd>Space</kbd> offers what may stand at the caret.</p>
      <p class="visually-hidden" role="status">${offer && `${offer.choices.length} offered`}</p>
    </div>
  `;
}

function placeOf(text, caret) {
  const lines = text.slice(0, caret).split("\n");
  return { line: lines.length - 1, column: lines.at(-1).length };
}

/** As deep as the line of the caret, deeper after a key that has nothing yet. */
function indentAfter({ value, selectionStart }) {
  const line = value.slice(0, selectionStart).split("\n").at(-1);
  const [, indent] = /^(\s*(?:-\s+)*)/.exec(line);
  return " ".repeat(indent.length + (/:\s*$/.test(line) ? 2 : 0));
}

/** Writes over the selection, so that it can be undone where the browser has that. */
function write(field, text) {
  field.focus();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
