import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { interact } from "./chat-store.js";
import { ListBox, moveMark } from "./list-box.js";
import {
  isClosed,
  isFile,
  isFree,
  isMeant,
  readFile,
  typeName,
  valueOf,
  useSuggestions,
} from "./option-values.js";
import { splitOptions, unknownOption } from "./typed-command.js";

/**
 * A chosen command: its options as pills, what each may be, and the keys to get through them without a mouse. `given` is
 * the text that was typed for options before.
 */
export function CommandForm({ store, view, guild, command, given, onDone }) {
  const required = command.options.filter((option) => option.required).map(({ name }) => name);
  const [shown, setShown] = useState([...new Set([...required, ...Object.keys(given)])]);
  const [active, setActive] = useState(shown[0] ?? null);
  const [values, setValues] = useState(toValues(given));
  const [mark, setMark] = useState({ list: "", at: -1 });
  const [wrong, setWrong] = useState(null);
  const [busy, setBusy] = useState(false);
  const form = useRef(null);
  const option = command.options.find(({ name }) => name === active) ?? null;
  const names = { view, guild };
  const { items, loading, failed } = useSuggestions({ store, names, command, option, values });
  const left = command.options.filter(({ name }) => !shown.includes(name));

  // A list that is new is marked at its first. Known as it is drawn, so that no key finds it as it was before.
  const list = `${active}: ${items.map(({ key }) => key).join()}`;
  const marked = mark.list === list ? mark.at : items.length > 0 ? 0 : -1;
  const setMarked = (at) => setMark({ list, at });

  const focusOn = (name) => {
    const field = form.current?.querySelector(name ? `[data-option="${name}"]` : "button.run");
    field?.focus();
  };
  // First to what is still to be filled in, later to what was added.
  const entrance = useRef(shown.find((name) => !given[name]));
  useLayoutEffect(() => {
    focusOn(entrance.current ?? shown.at(-1) ?? null);
    entrance.current = undefined;
  }, [shown.length]);
  const remove = (name) => {
    setShown(shown.filter((one) => one !== name));
    setValues((before) => ({ ...before, [name]: undefined }));
  };
  const fill = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setWrong(null);
    store.change({ notice: null });
  };
  // Who types the name of another option and a colon goes on there.
  const type = (name, text) => {
    const pairs = splitOptions(command.options, text, name);
    setShown([...new Set([...shown, ...Object.keys(pairs)])]);
    setValues((before) => ({ ...before, ...toValues(pairs) }));
    setWrong(null);
    store.change({ notice: null });
    const last = Object.keys(pairs).at(-1);
    if (last !== name && shown.includes(last)) focusOn(last);
  };
  const goOn = () => {
    const next = shown.find(
      (name) => name !== active && (values[name]?.value ?? values[name]?.text ?? "") === "",
    );
    focusOn(next ?? null);
  };
  const choose = (item) => {
    fill(active, { text: item.label, value: item.value });
    setMarked(-1);
    goOn();
  };
  const run = async () => {
    const options = {};
    for (const name of shown) {
      const own = command.options.find((one) => one.name === name);
      const { text = "", file, value = valueOf(own, names, text) } = values[name] ?? {};
      const filled = file ? await readFile(file) : (value ?? text);
      if (filled === "" && !required.includes(name)) continue;
      if (filled === "") return refuse(name, `Please fill in ${name}.`);
      const unknown = isFree(own) || value !== undefined ? null : unknownOption(text);
      if (unknown) return refuse(name, unknownText(command, unknown));
      if (isClosed(own) && value === undefined) return refuse(name, `Please choose ${name} from the list.`);
      options[name] = filled;
    }
    setBusy(true);
    const sent = await interact(
      store,
      "/chat/slash",
      { command: command.path, options },
      { label: `/${command.path}` },
    );
    setBusy(false);
    return sent && onDone();
  };
  const refuse = (name, message) => {
    setWrong(name);
    store.change({ notice: message });
    focusOn(name);
  };
  const onKeyDown = (event) => {
    if (event.isComposing) return;
    const inInput = event.target.tagName === "INPUT";
    if (event.key === "Escape") {
      event.preventDefault();
      onDone();
    } else if (inInput && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setMarked(moveMark(marked, event.key, items.length));
    } else if (
      inInput &&
      (event.key === "Enter" || event.key === "Tab") &&
      items[marked] &&
      !event.shiftKey &&
      !loading
    ) {
      const settled = values[active]?.value !== undefined;
      if (settled && event.key === "Tab") return;
      event.preventDefault();
      // What is typed out needs no choosing.
      if (settled || (event.key === "Enter" && items.some((item) => isMeant(item, event.target.value))))
        void run();
      else choose(items[marked]);
    } else if (inInput && event.key === "Enter") {
      event.preventDefault();
      void run();
    } else if (inInput && event.key === "Backspace" && event.target.value === "" && !isFile(option)) {
      event.preventDefault();
      if (!required.includes(active)) remove(active);
      else if (Object.values(values).every((given) => !given?.text)) onDone();
    }
  };

  return html`
    <div class="command-form" ref=${form} onKeyDown=${onKeyDown}>
      ${
        option &&
        html`
          <${ListBox}
            id="values"
            label=${`Values of ${option.name}`}
            items=${items}
            marked=${marked}
            onChoose=${choose}
          >
            <p class="option-about">
              <strong>${option.name}</strong>
              <span class="option-type">${typeName(option)}</span> ${option.description}
              ${loading && items.length === 0 && html`<span class="dim" role="status">Loading…</span>`}
              ${failed && html`<span class="dim" role="status">No suggestions.</span>`}
            </p>
          <//>
        `
      }
      <div class="pills">
        <span class="command-chip">/${command.path}</span>
        ${shown.map((name) => {
          const own = command.options.find((one) => one.name === name);
          return html`<${OptionPill}
            key=${name}
            option=${own}
            value=${values[name]}
            active=${name === active}
            wrong=${name === wrong}
            marked=${name === active ? marked : -1}
            onFocus=${() => setActive(name)}
            onType=${(text) => type(name, text)}
            onFile=${(file) => fill(name, { text: file?.name ?? "", file })}
            onRemove=${required.includes(name) ? null : () => remove(name)}
          />`;
        })}
        ${left.map(
          ({ name, description }) => html`
            <button
              key=${name}
              type="button"
              class="add-option"
              title=${description}
              onClick=${() => setShown([...shown, name])}
            >
              + ${name}
            </button>
          `,
        )}
        <span class="pill-buttons">
          <button type="button" class="quiet" onClick=${onDone}>Cancel</button>
          <button
            type="button"
            class="button primary run"
            disabled=${busy}
            onFocus=${() => setActive(null)}
            onClick=${run}
          >
            Send
          </button>
        </span>
      </div>
    </div>
  `;
}

function toValues(given) {
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, { text }]));
}

function unknownText({ path, options }, unknown) {
  return `/${path} has no option ${unknown}. It takes ${options.map(({ name }) => name).join(", ")}.`;
}

/** One option of a command: its name and the field for its value. */
function OptionPill({ option, value, active, wrong, marked, onFocus, onType, onFile, onRemove }) {
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
