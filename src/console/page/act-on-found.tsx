import { useState } from "preact/hooks";
import type { Capability } from "../../moderation/capabilities.ts";
import type { Server } from "../account-routes.ts";
import type { Desk, DeskAnswers } from "./ask.ts";
import type { Cast } from "./found-cast.tsx";
import type { PartProps } from "./part.ts";
import { SuggestingField } from "./parts.tsx";

interface Action {
  label: string;
  /** The command, which asks for confirmation. */
  path: string;
  options: Record<string, string>;
}

/** What the person may do to these casts and their authors: in each of their channels, because a bulk is in one. */
export function actionsOn({ channels }: Server, casts: readonly Cast[]): Action[] {
  const places = channels.flatMap(({ id, may }) => {
    const some = casts.filter(({ channel }) => channel === id);
    return some.length === 0 ? [] : [{ id, may, some }];
  });
  return places.flatMap(({ id, may, some }) => {
    const where = places.length > 1 ? ` in /${id}` : "";
    const visible = some.filter(({ hidden }) => !hidden).map(({ hash }) => hash);
    const hidden = some.filter((cast) => cast.hidden).map(({ hash }) => hash);
    const authors = new Set(some.flatMap(({ fid, isAuthorBanned }) => (isAuthorBanned ? [] : [fid])));
    const action = (
      needs: Capability,
      path: string,
      name: string,
      targets: Iterable<unknown>,
      label: string,
    ) => {
      const all = [...targets].map(String);
      if (all.length === 0 || !may.includes(needs)) return [];
      return [{ label: `${label}${where}…`, path, options: { [name]: all.join(" "), channel: id } }];
    };
    return [
      ...action("hide", "bulk hide", "casts", visible, `Hide ${count(visible.length, "cast")}`),
      ...action("hide", "bulk unhide", "casts", hidden, `Show ${count(hidden.length, "cast")} again`),
      ...action(
        "ban",
        "bulk ban",
        "users",
        authors,
        authors.size === 1 ? "Ban the author" : `Ban the ${authors.size} authors`,
      ),
    ];
  });
}

function count(many: number, what: string): string {
  return many === 1 ? `1 ${what}` : `${many} ${what}s`;
}

interface ActOnFoundProps {
  desk: Desk;
  server: Server;
  casts: readonly Cast[];
  onRun: PartProps["onRun"];
  onNone: () => void;
}

/** Acts on the selected casts. Shows the effect and asks for confirmation before anything is done. */
export function ActOnFound({ desk, server, casts, onRun, onNone }: ActOnFoundProps) {
  const [isBusy, setBusy] = useState(false);
  const actions = actionsOn(server, casts);
  if (actions.length === 0) return null;
  return (
    <form
      class="filters several floating"
      aria-label="Act on selected casts"
      onSubmit={async (event) => {
        event.preventDefault();
        const { submitter } = event;
        const action = actions.find(({ label }) => label === (submitter as HTMLButtonElement | null)?.value);
        const reason = String(new FormData(event.currentTarget).get("reason") ?? "");
        if (!action) return;
        setBusy(true);
        await onRun(action.path, { ...action.options, reason });
        setBusy(false);
      }}
    >
      <p role="status">{casts.length === 1 ? "1 is selected." : `${casts.length} are selected.`}</p>
      <SuggestingField
        desk={desk}
        path="bulk hide"
        option="reason"
        label="Reason, which the user may see"
        maxlength={500}
      />
      {actions.map(({ label, path }) => (
        <button
          key={label}
          class={`button ${path === "bulk unhide" ? "secondary" : "danger"}`}
          value={label}
          disabled={isBusy}
        >
          {label}
        </button>
      ))}
      <button type="button" class="button quiet" onClick={onNone}>
        Clear selection
      </button>
    </form>
  );
}

interface ActOnMatchingProps {
  answer: DeskAnswers["/found"];
  server: Server;
  /** The state in the search. */
  hidden: string | undefined;
  onRun: PartProps["onRun"];
}

/** Acts on all casts of a search that has a filter, also on those of other pages. Asks first, too. */
export function ActOnMatching({ answer: { matching, casts }, server, hidden, onRun }: ActOnMatchingProps) {
  if (!matching || casts.length === 0) return null;
  const may = (needs: Capability) =>
    server.channels.some((one) => [undefined, one.id].includes(matching.channel) && one.may.includes(needs));
  const { user, ...others } = matching;
  const shows = hidden === "true";
  return (
    <div class="buttons">
      {may("hide") && (
        <button
          type="button"
          class="button quiet"
          onClick={() => onRun(shows ? "bulk unhide" : "bulk hide", matching)}
        >
          {shows ? "Show all matches again…" : "Hide all matches…"}
        </button>
      )}
      {may("ban") && user === undefined && !shows && (
        <button type="button" class="button quiet" onClick={() => onRun("bulk ban", others)}>
          Ban their authors…
        </button>
      )}
    </div>
  );
}
