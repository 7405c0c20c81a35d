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

/** Why something is not shown, in the server's words. */
export function Problem({ problem }: { problem: { message: string; names?: Known } }) {
  return (
    <p class="problem" role="alert">
      <Words text={problem.message} names={problem.names} />
    </p>
  );
}

/** To what comes next in a list. */
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
  /** Whether it may be all of them. */
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
  /** For which command. */
  path?: string;
}

/** A user of the network: fid, @name or link; names are offered while one types. */
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

/** A form whose fields become the address: so it can be linked, and gone back to. */
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
