import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DeskAnswers } from "../ask.ts";
import { complete, type Choice } from "./complete.ts";

interface CodeFieldProps {
  label: string;
  value: string;
  schema: DeskAnswers["/rules/schema"];
  /** The text's place in the schema. */
  path: readonly string[];
  onInput: (text: string) => void;
  onSubmit: () => Promise<unknown>;
}

interface Offer {
  word: string;
  choices: readonly Choice[];
  /** The index of the marked suggestion. */
  at: number;
  line: number;
  column: number;
}

/** A YAML field with suggestions at the caret. Tab leaves the field, unless there are suggestions. */
export function CodeField({ label, value, schema, path, onInput, onSubmit }: CodeFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [offer, setOffer] = useState<Offer>();
  const close = () => setOffer(undefined);
  const look = (field: HTMLTextAreaElement, isWanted: boolean) => {
    const { value: text, selectionStart: caret, selectionEnd: end } = field;
    const found = caret === end ? complete(schema, path, text, caret) : undefined;
    if (!found || found.choices.length === 0 || (!isWanted && found.word === "")) close();
    else setOffer({ ...found, at: 0, ...placeOf(text, caret) });
  };
  const take = (field: HTMLTextAreaElement | null, { word }: Offer, choice: Choice | undefined) => {
    if (!field || !choice) return;
    const { selectionStart: caret } = field;
    field.setSelectionRange(caret - word.length, caret);
    write(field, choice.insert);
    close();
    // A key is followed by its values.
    if (choice.insert.endsWith(": ")) look(field, true);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    const { key, currentTarget: field } = event;
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) void onSubmit();
    else if (key === " " && event.ctrlKey) look(field, true);
    else if (offer && (key === "ArrowDown" || key === "ArrowUp")) {
      const count = offer.choices.length;
      setOffer({ ...offer, at: (offer.at + (key === "ArrowDown" ? 1 : count - 1)) % count });
    } else if (offer && (key === "Enter" || key === "Tab") && !event.shiftKey)
      take(field, offer, offer.choices[offer.at]);
    else if (offer && key === "Escape") close();
    else if (key === "Enter" && !event.shiftKey) write(field, `\n${indentAfter(field)}`);
    else return;
    event.preventDefault();
  };
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [offer],
  );
  const scrolled = field.current ?? { scrollLeft: 0, scrollTop: 0 };
  return (
    <div class="code">
      <label>
        <span class="visually-hidden">{label}</span>
        <textarea
          ref={field}
          wrap="off"
          rows={18}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-autocomplete="list"
          aria-controls="offered"
          aria-activedescendant={offer ? `offered-${offer.at}` : undefined}
          value={value}
          data-edit
          onInput={(event) => {
            onInput(event.currentTarget.value);
            look(event.currentTarget, false);
          }}
          onKeyDown={onKeyDown}
          onClick={close}
          onScroll={close}
          onBlur={close}
        ></textarea>
      </label>
      <ul
        id="offered"
        ref={list}
        role="listbox"
        aria-label="Suggestions"
        class="offered"
        hidden={!offer}
        style={
          offer && {
            left: `max(0px, min(calc(${offer.column}ch + 10px - ${scrolled.scrollLeft}px), 100% - 300px))`,
            top: `calc(${offer.line + 1} * 1.5em + 10px - ${scrolled.scrollTop}px)`,
          }
        }
      >
        {offer?.choices.map((choice, at) => (
          <li
            key={choice.insert}
            id={`offered-${at}`}
            role="option"
            aria-selected={at === offer.at}
            onMouseDown={(event) => {
              event.preventDefault();
              take(field.current, offer, choice);
            }}
          >
            {choice.label} <span class="dim">{choice.detail}</span>
          </li>
        ))}
      </ul>
      <p class="dim keys-line">
        <kbd>Ctrl</kbd> <kbd>Space</kbd> offers what may stand at the caret.
      </p>
      <p class="visually-hidden" role="status">
        {offer && `${offer.choices.length} offered`}
      </p>
    </div>
  );
}

function placeOf(text: string, caret: number): { line: number; column: number } {
  const lines = text.slice(0, caret).split("\n");
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/** The indentation of the caret's line, or deeper after a key without a value. */
function indentAfter({ value, selectionStart }: HTMLTextAreaElement): string {
  const line = value.slice(0, selectionStart).split("\n").at(-1) ?? "";
  const [, indent = ""] = /^(\s*(?:-\s+)*)/.exec(line) ?? [];
  return " ".repeat(indent.length + (/:\s*$/.test(line) ? 2 : 0));
}

/** Replaces the selection, so that it can be undone in browsers that support it. */
function write(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
