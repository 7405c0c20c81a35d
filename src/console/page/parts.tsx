import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { takeForm } from "../../web/kit/take-form.ts";
import type { Server } from "../account-routes.ts";
import type { Desk, DeskAnswers } from "./ask.ts";
import { goTo, withQuery } from "./location.ts";
import { Words, type Known } from "./view.tsx";

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

interface UserFieldProps {
  desk: Desk;
  value?: string | undefined;
  label: string;
  /** The command that needs the permission. */
  path?: string;
}

/** A user of the network: fid, @name or link. Names are suggested while typing. */
export function UserField({ desk, value, label, path = "who" }: UserFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const [choices, setChoices] = useState<DeskAnswers["/suggest"]["choices"]>([]);
  useEffect(() => setTyped(value ?? ""), [value]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      desk.read("/suggest", { path, option: "user", typed }).then(
        (answer) => !isOver && setChoices(answer.choices),
        () => {},
      );
    }, 150);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed]);
  const list = `users-of-${path.replace(" ", "-")}`;
  return (
    <label>
      {label}
      <input
        name="user"
        list={list}
        autocomplete="off"
        spellcheck={false}
        maxlength={200}
        placeholder="@name, fid or link"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        data-search
      />
      <datalist id={list}>
        {choices.map(([name, choice]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </datalist>
    </label>
  );
}

interface SearchProps {
  path: string;
  label: string;
  children: ComponentChildren;
}

/** A form whose fields become the address, so that the view can be linked and reached with Back. */
export function Search({ path, label, children }: SearchProps) {
  return (
    <form
      class="filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => goTo(withQuery(path, takeForm(event)))}
    >
      {children}
      <button class="button primary" type="submit">
        Show
      </button>
    </form>
  );
}
