import type { Capability } from "../../moderation/capabilities.ts";
import type { Server } from "../account-routes.ts";
import type { Desk, DeskAnswers } from "./ask.ts";
import type { Cast } from "./found-cast.tsx";
import type { PartProps } from "./part.ts";
import { SuggestingField } from "./fields.tsx";
import { ActionForm } from "./parts.tsx";

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
      path: "hide" | "ban",
      name: string,
      targets: Iterable<unknown>,
      label: string,
      more: Record<string, string> = {},
    ) => {
      const all = [...targets].map(String);
      if (all.length === 0 || !may.includes(path)) return [];
      return [{ label: `${label}${where}…`, path, options: { [name]: all.join(" "), channel: id, ...more } }];
    };
    return [
      ...action("hide", "casts", visible, `Hide ${count(visible.length, "cast")}`),
      ...action("hide", "casts", hidden, `Show ${count(hidden.length, "cast")} again`, {
        show_again: "true",
      }),
      ...action(
        "ban",
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
  const actions = actionsOn(server, casts);
  if (actions.length === 0) return null;
  const said = casts.length === 1 ? "1 is selected." : `${casts.length} are selected.`;
  return (
    <ActionForm
      label="Act on selected casts"
      actions={actions.map(({ label, path, options }) => ({
        title: label,
        style: options["show_again"] ? "secondary" : "danger",
        run: ({ reason = "" }) => onRun(path, { ...options, reason }),
      }))}
      selection={{ said, onNone, floats: true }}
    >
      <SuggestingField
        desk={desk}
        path="hide"
        option="reason"
        label="Reason, which the user may see"
        maxlength={500}
      />
    </ActionForm>
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
          onClick={() => onRun("hide", shows ? { ...matching, show_again: "true" } : matching)}
        >
          {shows ? "Show all matches again…" : "Hide all matches…"}
        </button>
      )}
      {may("ban") && user === undefined && !shows && (
        <button type="button" class="button quiet" onClick={() => onRun("ban", others)}>
          Ban their authors…
        </button>
      )}
    </div>
  );
}
