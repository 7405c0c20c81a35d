import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { takeForm } from "../../web/kit/take-form.ts";
import type { Server } from "../account-routes.ts";
import type { Desk, DeskAnswers } from "./ask.ts";
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

/** Leads to a list's next page. */
export function MoreLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="button secondary" href={href}>
      {children}
    </a>
  );
}

interface ChannelFieldProps {
  channels: Server["channels"];
  chosen?: string | undefined;
  /** Whether all channels can be selected. */
  all?: boolean;
  onChoose?: (channel: string) => void;
}

export function ChannelField({ channels, chosen, all, onChoose }: ChannelFieldProps) {
  return (
    <label>
      Channel
      <select name="channel" onChange={(event) => onChoose?.(event.currentTarget.value)}>
        {all && <option value="">all</option>}
        {channels.map(({ id }) => (
          <option key={id} value={id} selected={id === chosen}>
            /{id}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SuggestingFieldProps {
  desk: Desk;
  /** The command and its option, which has the suggestions. */
  path: string;
  option: string;
  /** The field's name in its form. */
  name?: string;
  value?: string | undefined;
  label: string;
  maxlength: number;
  placeholder?: string;
  required?: boolean;
  /** Whether the key for the search goes here. */
  isSearch?: boolean;
}

/** A text for a command's option, whose suggestions appear while typing. */
export function SuggestingField({
  desk,
  path,
  option,
  name = option,
  value,
  label,
  isSearch,
  ...rest
}: SuggestingFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const [choices, setChoices] = useState<DeskAnswers["/suggest"]["choices"]>([]);
  useEffect(() => setTyped(value ?? ""), [value]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      desk.read("/suggest", { path, option, typed }).then(
        (answer) => !isOver && setChoices(answer.choices),
        () => {},
      );
    }, 150);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed]);
  const list = useId();
  return (
    <label>
      {label}
      <input
        name={name}
        list={list}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        data-search={isSearch}
        {...rest}
      />
      <datalist id={list}>
        {choices.map(([title, choice]) => (
          <option key={choice} value={choice}>
            {title}
          </option>
        ))}
      </datalist>
    </label>
  );
}

interface UserFieldProps extends Pick<SuggestingFieldProps, "desk" | "value" | "label"> {
  /** The command that needs the permission. */
  path?: string;
}

/** A user of the network: fid, @name or link. */
export function UserField({ path = "who", ...rest }: UserFieldProps) {
  return (
    <SuggestingField
      path={path}
      option="user"
      maxlength={200}
      placeholder="@name, fid or link"
      isSearch
      {...rest}
    />
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
