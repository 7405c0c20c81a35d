import { html } from "htm/preact";
import { isFile } from "./option-values.js";

/** One option of a command: its name and the field for its value. */
export function OptionPill({ option, value, active, wrong, marked, onFocus, onType, onFile, onRemove }) {
  const { name, required } = option;
  const text = value?.text ?? "";
  return html`
    <span
      class=${`pill ${active ? "active" : ""} ${wrong ? "wrong" : ""} ${value?.value === undefined ? "" : "chosen"}`}
    >
      <label for=${`option-${name}`}>${name}</label>
      ${
        isFile(option)
          ? html`<input
              id=${`option-${name}`}
              data-option=${name}
              type="file"
              required=${required}
              onFocus=${onFocus}
              onChange=${({ currentTarget }) => onFile(currentTarget.files[0])}
            />`
          : html`<input
              id=${`option-${name}`}
              data-option=${name}
              type="text"
              autocomplete="off"
              spellcheck=${false}
              size=${Math.min(Math.max(text.length + 1, 8), 48)}
              value=${text}
              maxlength=${option.max_length ?? 6000}
              role="combobox"
              aria-autocomplete="list"
              aria-controls="values"
              aria-expanded=${active}
              aria-required=${Boolean(required)}
              aria-invalid=${wrong}
              aria-activedescendant=${marked >= 0 ? `values-${marked}` : undefined}
              onFocus=${onFocus}
              onInput=${({ currentTarget }) => onType(currentTarget.value)}
            />`
      }
      ${
        onRemove &&
        html`<button
          type="button"
          class="pill-remove"
          tabindex="-1"
          aria-label=${`Remove ${name}`}
          onClick=${onRemove}
        >
          ×
        </button>`
      }
    </span>
  `;
}

/** Where the options that are not filled in are found, by their names and what they are about. */
export function OptionFinder({ text, count, marked, onFocus, onType }) {
  return html`<input
    class="more-options"
    type="text"
    autocomplete="off"
    spellcheck=${false}
    value=${text}
    placeholder=${`+${count} more`}
    aria-label="Add an option"
    role="combobox"
    aria-autocomplete="list"
    aria-controls="values"
    aria-expanded=${true}
    aria-activedescendant=${marked >= 0 ? `values-${marked}` : undefined}
    onFocus=${onFocus}
    onInput=${({ currentTarget }) => onType(currentTarget.value)}
  />`;
}
