import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface ListItem {
  key: string;
  label: string;
  hint?: string | undefined;
}

interface ListBoxProps<I extends ListItem> {
  id: string;
  label: string;
  items: readonly I[];
  marked: number;
  onChoose: (item: I) => void;
  children?: ComponentChildren;
}

/** A list above the composer, controlled by the input's keys, while the input keeps the focus. */
export function ListBox<I extends ListItem>(props: ListBoxProps<I>) {
  const { id, label, items, marked, onChoose, children } = props;
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [marked, items]);
  return (
    <div class="list-box">
      {children}
      <ul id={id} role="listbox" aria-label={label}>
        {items.map((item, index) => (
          <li
            key={item.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === marked}
            ref={index === marked ? current : null}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(item)}
          >
            <span class="option-name">{item.label}</span>
            {item.hint && <span class="option-hint">{item.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The next marked entry for an arrow key; -1 marks nothing. */
export function moveMark(marked: number, key: string, length: number): number {
  if (length === 0) return -1;
  return key === "ArrowDown" ? (marked + 1) % length : (marked <= 0 ? length : marked) - 1;
}
