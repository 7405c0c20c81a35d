import type { ValueOption } from "../../discord/shapes/command.ts";
import { isFile, type Given } from "./option-values.ts";

interface OptionPillProps {
  option: ValueOption;
  value: Given | undefined;
  active: boolean;
  wrong: boolean;
  /** The marked entry of the list of values; -1 for none. */
  marked: number;
  onFocus: () => void;
  onType: (text: string) => void;
  onFile: (file: File | undefined) => void;
  /** null for a required option. */
  onRemove: (() => void) | null;
}

/** One option of a command: its name and the field for its value. */
export function OptionPill({ option, value, active, wrong, marked, ...on }: OptionPillProps) {
  const { onFocus, onType, onFile, onRemove } = on;
  const { name } = option;
  const required = option.required ?? false;
  const text = value?.text ?? "";
  return (
    <span
      class={`pill ${active ? "active" : ""} ${wrong ? "wrong" : ""} ${value?.value === undefined ? "" : "chosen"}`}
    >
      <label for={`option-${name}`}>{name}</label>
      {isFile(option) ? (
        <input
          id={`option-${name}`}
          data-option={name}
          type="file"
          required={required}
          onFocus={onFocus}
          onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
        />
      ) : (
        <input
          id={`option-${name}`}
          data-option={name}
          type="text"
          autocomplete="off"
          spellcheck={false}
          size={Math.min(Math.max(text.length + 1, 8), 48)}
          value={text}
          maxlength={option.max_length ?? 6000}
          role="combobox"
          aria-autocomplete="list"
          aria-controls="values"
          aria-expanded={active}
          aria-required={required}
          aria-invalid={wrong}
          aria-activedescendant={marked >= 0 ? `values-${marked}` : undefined}
          onFocus={onFocus}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
      )}
      {onRemove && (
        <button
          type="button"
          class="pill-remove"
          tabindex={-1}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          ×
        </button>
      )}
    </span>
  );
}

interface OptionFinderProps {
  text: string;
  count: number;
  marked: number;
  onFocus: () => void;
  onType: (text: string) => void;
}

/** Finds the options that are not filled in yet, by name and description. */
export function OptionFinder({ text, count, marked, onFocus, onType }: OptionFinderProps) {
  return (
    <input
      class="more-options"
      type="text"
      autocomplete="off"
      spellcheck={false}
      value={text}
      placeholder={`+${count} more`}
      aria-label="Add an option"
      role="combobox"
      aria-autocomplete="list"
      aria-controls="values"
      aria-expanded={true}
      aria-activedescendant={marked >= 0 ? `values-${marked}` : undefined}
      onFocus={onFocus}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}
