import { useState } from "preact/hooks";
import type { DeskAnswers } from "./ask.ts";
import { DecideSeveral } from "./decide-several.tsx";
import { goTo, withQuery, type Query } from "./location.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, MoreLink, WhoIsThis } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View } from "./view.tsx";

/** Reviews: the open ones, and the latest decisions. */
export function Queue(props: PartProps) {
  return props.place.rest[0] === "decided" ? <Decided {...props} /> : <Open {...props} />;
}

function Tabs({ path, isDecided = false }: { path: string; isDecided?: boolean }) {
  return (
    <nav class="tabs" aria-label="Queue">
      <a href={path} aria-current={isDecided ? undefined : "page"}>
        Open
      </a>
      <a href={`${path}/decided`} aria-current={isDecided ? "page" : undefined}>
        Decided
      </a>
    </nav>
  );
}

/** Open reviews, oldest first. */
function Open({ desk, server, place, path, version, onPress, onRun }: PartProps) {
  const { answer, instead } = useAnswer(desk, "/queue", place.query, version);
  const [busy, setBusy] = useState<string>();
  const [chosen, setChosen] = useState<string[]>([]);
  if (!answer) return instead;
  const { items, load, next, names } = answer;
  const press = async (number: string, customId: string, value?: string) => {
    setBusy(number);
    await onPress(customId, value).finally(() => setBusy(undefined));
  };
  // Reviews that others decided meanwhile are no longer selected.
  const numbers = items.map(({ number }) => number).filter((number) => chosen.includes(number));
  const choose = (number: string) =>
    setChosen(numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number]);
  const filter = (change: Query) => goTo(withQuery(path, { ...place.query, after: undefined, ...change }));
  return (
    <>
      <header class="section-head">
        <h1>Queue</h1>
        <Tabs path={path} />
        <p class="dim">{describeLoad(load)}</p>
        <div class="filters">
          <ChannelField
            channels={server.channels}
            chosen={place.query.channel}
            all
            onChoose={(channel) => filter({ channel })}
          />
          <label>
            Queue
            <select
              value={place.query.queue ?? ""}
              onChange={(event) => filter({ queue: event.currentTarget.value })}
            >
              <option value="">all</option>
              {load.queues.map(({ queue, waiting }) => (
                <option key={queue} value={queue}>
                  {queue} ({waiting})
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <DecideSeveral desk={desk} numbers={numbers} onRun={onRun} onNone={() => setChosen([])} />
      {items.length === 0 && <p class="empty">Nothing is waiting for a decision.</p>}
      <ul class="items">
        {items.map(({ number, fid, view }) => (
          <li key={number}>
            <article class="card" data-item tabindex={0} aria-label={`Review ${number}`}>
              <View
                view={view}
                names={names}
                isBusy={busy === number}
                onPress={(customId, value) => press(number, customId, value)}
              />
              <div class="beside">
                <label class="choose">
                  <input
                    type="checkbox"
                    checked={numbers.includes(number)}
                    onChange={() => choose(number)}
                    data-key="x"
                    aria-keyshortcuts="x"
                    aria-label={`Select ${number}`}
                  />
                  Choose <kbd aria-hidden="true">x</kbd>
                </label>
                {fid !== null && <WhoIsThis href={`/console/${server.id}/people?user=${fid}`} />}
              </div>
            </article>
          </li>
        ))}
      </ul>
      {next && <MoreLink href={withQuery(path, { ...place.query, after: next })}>Later ones</MoreLink>}
    </>
  );
}

/** The latest decisions, newest first, which can be undone. */
function Decided({ desk, server, place, path, version, onPress }: PartProps) {
  const { answer, instead } = useAnswer(desk, "/queue/decided", { channel: place.query.channel }, version);
  const [busy, setBusy] = useState<string>();
  const press = async (number: string, customId: string) => {
    setBusy(number);
    await onPress(customId).finally(() => setBusy(undefined));
  };
  return (
    <>
      <header class="section-head">
        <h1>Queue</h1>
        <Tabs path={path} isDecided />
        <div class="filters">
          <ChannelField
            channels={server.channels}
            chosen={place.query.channel}
            all
            onChoose={(channel) => goTo(withQuery(`${path}/decided`, { channel }))}
          />
        </div>
      </header>
      {instead}
      {answer?.items.length === 0 && <p class="empty">Nothing was decided yet.</p>}
      <ul class="items">
        {answer?.items.map(({ number, fid, view }) => (
          <li key={number}>
            <article class="card" data-item tabindex={0} aria-label={`Review ${number}`}>
              <View
                view={view}
                names={answer.names}
                isBusy={busy === number}
                onPress={(customId) => press(number, customId)}
              />
              {fid !== null && <WhoIsThis href={`/console/${server.id}/people?user=${fid}`} />}
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}

function describeLoad({ queues, claimed, escalated, oldestMs }: DeskAnswers["/queue"]["load"]): string {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  if (waiting === 0) return "";
  const parts = [`${waiting} waiting`];
  if (oldestMs !== null) parts.push(`the oldest is from ${new Date(oldestMs).toLocaleString()}`);
  if (claimed > 0) parts.push(`${claimed} claimed`);
  if (escalated > 0) parts.push(`${escalated} left to the owner`);
  return parts.join(" · ");
}
