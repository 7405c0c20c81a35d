// @ts-nocheck
import { useEffect, useRef } from "preact/hooks";
import { html } from "htm/preact";

/** A list above the composer, driven by its input's keys: the input keeps the focus. */
export function ListBox({ id, label, items, marked, onChoose, children }) {
  const current = useRef(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [marked, items]);
  return html`
    <div class="list-box">
      ${children}
      <ul id=${id} role="listbox" aria-label=${label}>
        ${items.map(
          (item, index) => html`
            <li
              key=${item.key}
              id=${`${id}-${index}`}
              role="option"
              aria-selected=${index === marked}
              ref=${index === marked ? current : null}
              onMouseDown=${(event) => event.preventDefault()}
              onClick=${() => onChoose(item)}
            >
              <span class="option-name">${item.label}</span>
              ${item.hint && html`<span class="option-hint">${item.hint}</span>`}
            </li>
          `,
        )}
      </ul>
    </div>
  `;
}

/** Where an arrow key moves the mark; -1 is nothing marked. */
export function moveMark(marked, key, length) {
  if (length === 0) return -1;
  return key === "ArrowDown" ? (marked + 1) % length : (marked <= 0 ? length : marked) - 1;
}
