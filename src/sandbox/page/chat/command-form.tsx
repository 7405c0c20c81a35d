import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatPosts } from "../../chat-pane/chat-routes.ts";
import type { ValueOption } from "../../discord/shapes/command.ts";
import type { ChatStore } from "./chat-state.ts";
import { interact } from "./chat-store.ts";
import { ListBox, moveMark, type ListItem } from "./list-box.tsx";
import { OptionFinder, OptionPill } from "./option-pill.tsx";
import {
  isClosed,
  isFile,
  isFree,
  isMeant,
  readFile,
  typeName,
  useSuggestions,
  valueOf,
  type Around,
  type Given,
  type ValueItem,
  type Values,
} from "./option-values.ts";
import { splitOptions, unknownOption, type Runnable, type Typed } from "./typed-command.ts";

const finding = "";

interface CommandFormProps extends Around {
  store: ChatStore;
  command: Runnable;
  /** The text typed before the options. */
  given: Typed["given"];
  onDone: () => void;
}

/** A chosen command: its options as pills with their possible values, all usable by keyboard. */
export function CommandForm({ store, view, guild, command, given, onDone }: CommandFormProps) {
  const required = command.options.filter((option) => option.required).map(({ name }) => name);
  const [shown, setShown] = useState([...new Set([...required, ...Object.keys(given)])]);
  /** The option being filled in; `finding` while the user searches for another option. */
  const [active, setActive] = useState<string | null>(shown[0] ?? finding);
  const [wanted, setWanted] = useState("");
  const [values, setValues] = useState(toValues(given));
  const [mark, setMark] = useState({ list: "", at: -1 });
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const optionOf = (name: string | null) => command.options.find((one) => one.name === name);
  const option = optionOf(active);
  const around = { view, guild };
  const left = command.options.filter(({ name }) => !shown.includes(name));
  const suggested = useSuggestions({ store, around, command, option, values });
  const { loading, failed } = suggested;
  const items: readonly Entry[] = active === finding ? findOptions(left, wanted) : suggested.items;

  // A new list is marked at its first entry. Set while rendering, so that no key press sees the old mark.
  const list = `${active}: ${items.map(({ key }) => key).join()}`;
  const isOpen = active !== finding || wanted !== "";
  const marked = mark.list === list ? mark.at : items.length > 0 && isOpen ? 0 : -1;
  const setMarked = (at: number) => setMark({ list, at });

  const focusOn = (name: string | null) => {
    const inForm = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    const field = name
      ? inForm(`[data-option="${name}"]`)
      : (inForm(".more-options") ?? inForm("button.run"));
    field?.focus();
  };
  // First the required options, then the added ones.
  const entrance = useRef(shown.find((name) => !given[name]));
  useLayoutEffect(() => {
    focusOn(entrance.current ?? shown.at(-1) ?? null);
    entrance.current = undefined;
  }, [shown.length]);
  const remove = (name: string) => {
    setShown(shown.filter((one) => one !== name));
    setValues((before) => ({ ...before, [name]: undefined }));
  };
  const fill = (name: string, value: Given) => {
    setValues((before) => ({ ...before, [name]: value }));
    setWrong(null);
    store.change({ notice: null });
  };
  // Typing another option's name and a colon continues in that option.
  const type = (name: string, text: string) => {
    const pairs = splitOptions(command.options, text, name);
    setShown([...new Set([...shown, ...Object.keys(pairs)])]);
    setValues((before) => ({ ...before, ...toValues(pairs) }));
    setWrong(null);
    store.change({ notice: null });
    const last = Object.keys(pairs).at(-1);
    if (last !== undefined && last !== name && shown.includes(last)) focusOn(last);
  };
  const add = (pairs: Record<string, string>) => {
    setWanted("");
    setShown([...new Set([...shown, ...Object.keys(pairs)])]);
    setValues((before) => ({ ...before, ...toValues(pairs) }));
  };
  const find = (text: string) => {
    const pairs = splitOptions(left, text, undefined);
    setWrong(null);
    store.change({ notice: null });
    if (Object.keys(pairs).length > 0) add(pairs);
    else setWanted(text);
  };
  const goOn = () => {
    const next = shown.find(
      (name) => name !== active && (values[name]?.value ?? values[name]?.text ?? "") === "",
    );
    focusOn(next ?? null);
  };
  const choose = (item: Entry) => {
    if (active === finding || active === null || !("value" in item)) return add({ [item.key]: "" });
    fill(active, { text: item.label, value: item.value });
    setMarked(-1);
    goOn();
  };
  const run = async () => {
    const options: ChatPosts["/chat/slash"]["options"] = {};
    for (const name of shown) {
      const own = optionOf(name);
      if (!own) continue;
      const { text, file, value = valueOf(own, around, text) }: Given = values[name] ?? { text: "" };
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
  const refuse = (name: string | null, message: string) => {
    setWrong(name);
    store.change({ notice: message });
    focusOn(name);
  };
  const keyInFinder = (event: KeyboardEvent) => {
    const item = items[marked];
    if (event.key === "Enter" || (event.key === "Tab" && item && !event.shiftKey)) {
      event.preventDefault();
      if (item) choose(item);
      else if (wanted === "") void run();
      else refuse(null, unknownText(command, wanted));
    } else if (event.key === "Backspace" && wanted === "") {
      event.preventDefault();
      if (shown.length > 0) focusOn(shown.at(-1) ?? null);
      else onDone();
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.isComposing) return;
    const input = event.target instanceof HTMLInputElement ? event.target : undefined;
    const item = items[marked];
    if (event.key === "Escape") {
      event.preventDefault();
      onDone();
    } else if (input && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      setMarked(moveMark(marked, event.key, items.length));
    } else if (input && active === finding) {
      keyInFinder(event);
    } else if (
      input &&
      (event.key === "Enter" || event.key === "Tab") &&
      item &&
      !event.shiftKey &&
      !loading
    ) {
      const settled = values[active ?? ""]?.value !== undefined;
      if (settled && event.key === "Tab") return;
      event.preventDefault();
      // A fully typed value does not have to be chosen.
      if (settled || (event.key === "Enter" && suggested.items.some((one) => isMeant(one, input.value))))
        void run();
      else choose(item);
    } else if (input && event.key === "Enter") {
      event.preventDefault();
      void run();
    } else if (input && event.key === "Backspace" && input.value === "" && option && !isFile(option)) {
      event.preventDefault();
      if (!required.includes(option.name)) remove(option.name);
      else if (Object.values(values).every((given) => !given?.text)) onDone();
    }
  };

  return (
    <div class="command-form" ref={form} onKeyDown={onKeyDown}>
      {active === finding && items.length > 0 && (
        <ListBox id="values" label="Options" items={items} marked={marked} onChoose={choose} />
      )}
      {option && (
        <ListBox
          id="values"
          label={`Values of ${option.name}`}
          items={items}
          marked={marked}
          onChoose={choose}
        >
          <p class="option-about">
            <strong>{option.name}</strong>
            <span class="option-type">{typeName(option)}</span> {option.description}
            {loading && items.length === 0 && (
              <span class="dim" role="status">
                Loading…
              </span>
            )}
            {failed && (
              <span class="dim" role="status">
                No suggestions.
              </span>
            )}
          </p>
        </ListBox>
      )}
      <div class="pills">
        <span class="command-chip">/{command.path}</span>
        {shown.map((name) => {
          const own = optionOf(name);
          return (
            own && (
              <OptionPill
                key={name}
                option={own}
                value={values[name]}
                active={name === active}
                wrong={name === wrong}
                marked={name === active ? marked : -1}
                onFocus={() => setActive(name)}
                onType={(text) => type(name, text)}
                onFile={(file) => fill(name, { text: file?.name ?? "", file })}
                onRemove={required.includes(name) ? null : () => remove(name)}
              />
            )
          );
        })}
        {left.length > 0 && (
          <OptionFinder
            text={wanted}
            count={left.length}
            marked={active === finding ? marked : -1}
            onFocus={() => setActive(finding)}
            onType={find}
          />
        )}
        <span class="pill-buttons">
          <button type="button" class="quiet" onClick={onDone}>
            Cancel
          </button>
          <button
            type="button"
            class="button primary run"
            disabled={busy}
            onFocus={() => setActive(null)}
            onClick={run}
          >
            Send
          </button>
        </span>
      </div>
    </div>
  );
}

/** An option to add, or one of its values. */
type Entry = ListItem | ValueItem;

/** The options whose name contains the typed text, as entries of the list. */
function findOptions(options: readonly ValueOption[], wanted: string): ListItem[] {
  const sought = wanted.trim().toLowerCase();
  return options
    .filter(({ name }) => name.includes(sought))
    .map(({ name, description }) => ({ key: name, label: name, hint: description }));
}

function toValues(given: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, { text }]));
}

function unknownText({ path, options }: Runnable, unknown: string): string {
  return `/${path} has no option ${unknown}. Its options: ${options.map(({ name }) => name).join(", ")}.`;
}
