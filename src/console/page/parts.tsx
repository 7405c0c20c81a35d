import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useId, useState } from "preact/hooks";
import { takeForm } from "../../web/kit/take-form.ts";
import { goTo, withQuery } from "./location.ts";
import { keysOf, Words, type Known } from "./view.tsx";

export function Waiting() {
  return (
    <p class="empty" role="status">
      One moment…
    </p>
  );
}

/** The server's reason why something is not shown. */
export function Problem({ problem }: { problem: { message: string; names?: Known } }) {
  return (
    <p class="problem" role="alert">
      <Words text={problem.message} names={problem.names} />
    </p>
  );
}

/** The title of a part of the console, with what belongs to it. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="section-head">
      <h1>{title}</h1>
      {children}
    </header>
  );
}

interface Tab {
  href: string;
  title: ComponentChildren;
  isShown: boolean;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, title, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface ItemProps {
  label: string;
  class?: string;
  children: ComponentChildren;
}

/** An entry of a list, which the keyboard reaches. */
export function Item({ label, class: more = "", children }: ItemProps) {
  return (
    <article class={`card ${more}`} data-item tabindex={0} aria-label={label}>
      {children}
    </article>
  );
}

interface SelectBoxProps {
  /** What is selected, for those who cannot see it. */
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

/** Selects an item, also by its key. */
export function SelectBox({ label, isChosen, onChoose }: SelectBoxProps) {
  return (
    <label class="choose">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={onChoose}
        data-key="x"
        aria-keyshortcuts="x"
        aria-label={`Select ${label}`}
      />
      Select <kbd aria-hidden="true">x</kbd>
    </label>
  );
}

interface ActionFormProps {
  label: string;
  /** Each has a button, and receives the fields. */
  actions: readonly {
    title: string;
    style?: "secondary" | "danger";
    run: (typed: Record<string, string>) => Promise<unknown>;
  }[];
  /** For a form that acts on the selected items. */
  selection?: { said: string; onNone: () => void; floats?: boolean };
  children: ComponentChildren;
}

/** A form that runs commands. Its buttons wait for the answer. */
export function ActionForm({ label, actions, selection, children }: ActionFormProps) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const typed = takeForm(event);
    const clicked = event.submitter?.textContent;
    setBusy(true);
    await (actions.find(({ title }) => title === clicked) ?? actions[0])?.run(typed);
    setBusy(false);
  };
  const place = selection && (selection.floats ? "several floating" : "several");
  return (
    <form class={`filters ${place ?? ""}`} aria-label={label} onSubmit={submit}>
      {selection && <p role="status">{selection.said}</p>}
      {children}
      {actions.map(({ title, style = "primary" }) => (
        <button key={title} class={`button ${style}`} disabled={isBusy}>
          {title}
        </button>
      ))}
      {selection && (
        <button type="button" class="button quiet" onClick={selection.onNone}>
          Clear selection
        </button>
      )}
    </form>
  );
}

/** Leads to a list's next page. */
export function MoreLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="button secondary" href={href}>
      {children}
    </a>
  );
}

interface SearchProps {
  path: string;
  label: string;
  /** How many filters are set. With it, phones show the fields only after a click on a button that says the number. */
  filterCount?: number;
  /** The field that phones show all the time. */
  mainField?: ComponentChildren;
  children: ComponentChildren;
}

/** A form whose fields become the address, so that the view can be linked and reached with Back. */
export function Search({ path, label, filterCount, mainField, children }: SearchProps) {
  const [isOpen, setOpen] = useState(filterCount === undefined);
  const id = useId();
  const submit = (
    <button class="button primary" type="submit">
      Show
    </button>
  );
  return (
    <form
      class="filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => goTo(withQuery(path, takeForm(event)))}
    >
      {mainField}
      {filterCount !== undefined && (
        <button
          type="button"
          class="button quiet for-phones"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {filterCount === 0 ? "Filter" : `Filter (${filterCount} set)`}
        </button>
      )}
      <div id={id} class={isOpen ? "filter-fields open" : "filter-fields"}>
        {children}
        {!mainField && submit}
      </div>
      {mainField && submit}
    </form>
  );
}

/** How many fields of a search are filled in, except these. */
export function countFilters(query: Readonly<Record<string, string>>, ...except: string[]): number {
  return Object.entries(query).filter(([name, value]) => value.trim() !== "" && !except.includes(name))
    .length;
}

/** Leads to a person's page, also by its key. */
export function WhoIsThis({ href }: { href: string }) {
  const key = keysOf["Who is this?"];
  return (
    <a class="more" href={href} data-key={key} aria-keyshortcuts={key}>
      Who is this? <kbd aria-hidden="true">{key}</kbd>
    </a>
  );
}
