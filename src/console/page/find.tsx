import { useState } from "preact/hooks";
import type { Refused } from "../../web/kit/request.ts";
import type { DeskAnswers } from "./ask.ts";
import { FoundCast, type Cast } from "./found-cast.tsx";
import { ActOnFound, actionsOn, ActOnMatching } from "./act-on-found.tsx";
import { withQuery } from "./location.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, SelectField, TextField, UserField } from "./fields.tsx";
import { countFilters, Head, MoreLink, Search } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { useThrottled } from "./use-throttled.ts";
import { Words } from "./view.tsx";

/** Milliseconds between two counts of a search that stays open, because a count may read all casts of a channel. */
const countEveryMs = 30_000;

/** Casts by the options of /find, which are the address. Some or all of them can be acted on. */
export function Find(props: PartProps) {
  const { desk, server, place, path, version, onRun } = props;
  const { answer, instead } = useAnswer(desk, "/found", place.query, version);
  const countVersion = useThrottled(countEveryMs, version);
  const counted = useAnswer(desk, "/found/count", place.query, countVersion);
  /** Whether each chosen cast was hidden when it was chosen. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const casts = answer?.casts ?? [];
  // Casts that were hidden or shown meanwhile are no longer selected.
  const selected = casts.filter(({ hash, hidden }) => chosen.get(hash) === hidden);
  const choose = (some: readonly Cast[]) =>
    setChosen(new Map(some.map(({ hash, hidden }) => [hash, hidden])));
  const toggle = (cast: Cast) =>
    choose(selected.includes(cast) ? selected.filter((one) => one !== cast) : [...selected, cast]);
  const canAct = (cast: Cast) => actionsOn(server, [cast]).length > 0;
  const actable = casts.filter(canAct);
  return (
    <>
      <Head title="Find">
        <Filters {...props} />
      </Head>
      {instead}
      {answer && (
        <>
          <div class="found-head">
            <p role="status">
              <Words text={answer.said} names={answer.names} />
              <br />
              <span class="dim">{describeCount(casts, counted)}</span>
            </p>
            <ActOnMatching answer={answer} server={server} hidden={place.query.hidden} onRun={onRun} />
            {actable.length > 1 && (
              <label class="choose">
                <input
                  type="checkbox"
                  checked={actable.every((cast) => selected.includes(cast))}
                  onChange={(event) => choose(event.currentTarget.checked ? actable : [])}
                />
                Select all {actable.length} on this page
              </label>
            )}
          </div>
          <ul class="items found">
            {casts.map((cast) => (
              <FoundCast
                key={cast.hash}
                cast={cast}
                base={`/console/${server.id}`}
                names={answer.names}
                isChosen={selected.includes(cast)}
                onChoose={canAct(cast) ? () => toggle(cast) : undefined}
              />
            ))}
          </ul>
          <ActOnFound desk={desk} server={server} casts={selected} onRun={onRun} onNone={() => choose([])} />
          <nav class="pages" aria-label="Pages">
            {place.query.before && (
              <MoreLink href={withQuery(path, { ...place.query, before: undefined })}>Newest ones</MoreLink>
            )}
            {answer.next && (
              <MoreLink href={withQuery(path, { ...place.query, before: answer.next })}>Older ones</MoreLink>
            )}
          </nav>
        </>
      )}
    </>
  );
}

/** "26–50 of 130 casts, newest first". */
function describeCount(
  casts: readonly Cast[],
  { answer, problem }: { answer?: DeskAnswers["/found/count"]; problem?: Refused },
): string {
  if (casts.length === 0) return "None.";
  if (problem) return `${casts.length} on this page, newest first. Counting all of them failed.`;
  if (!answer) return "Counting…";
  const { count, from } = answer;
  const last = (from ?? 1) + casts.length - 1;
  const shown = from === undefined ? String(casts.length) : `${from}–${last}`;
  // The list is newer than the count.
  if (last > Number(count)) return `${shown}, newest first`;
  return count === "1" ? "1 cast" : `${shown} of ${count} casts, newest first`;
}

const times = ["1h", "6h", "24h", "7d", "30d"];
/** Whether casts are hidden. */
const states = [
  ["false", "visible"],
  ["true", "hidden"],
] as const;

function Filters({ desk, server, place: { query }, path }: PartProps) {
  return (
    <Search
      path={path}
      label="Find casts"
      key={JSON.stringify(query)}
      filterCount={countFilters(query, "text", "before")}
      mainField={<TextField name="text" label="Words" maxlength={200} value={query.text} isSearch />}
    >
      <UserField desk={desk} value={query.user} label="Author" path="find" />
      <TextField
        name="link"
        label="Link"
        maxlength={200}
        spellcheck={false}
        placeholder="spam.example"
        value={query.link}
      />
      <TextField
        name="since"
        label="Since"
        maxlength={40}
        choices={times}
        placeholder="2h or 20:00"
        value={query.since}
      />
      <SelectField name="hidden" label="State" none="any" choices={states} chosen={query.hidden} />
      <ChannelField channels={server.channels} chosen={query.channel} all />
    </Search>
  );
}
