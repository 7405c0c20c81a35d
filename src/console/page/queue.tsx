import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { DeskAnswers } from "./ask.ts";
import { DecideSeveral } from "./decide-several.tsx";
import { goTo, withQuery, type Query } from "./location.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, SelectField } from "./fields.tsx";
import { Head, Item, MoreLink, SelectBox, Tabs, WhoIsThis } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View, type Known } from "./view.tsx";

/** Reviews: the open ones, and the latest decisions. */
export function Queue(props: PartProps) {
  return props.place.rest[0] === "decided" ? <Decided {...props} /> : <Open {...props} />;
}

interface HeadProps extends Pick<PartProps, "path"> {
  isDecided?: boolean;
  children: ComponentChildren;
}

function QueueHead({ path, isDecided = false, children }: HeadProps) {
  return (
    <Head title="Queue">
      <Tabs
        label="Queue"
        tabs={[
          { href: path, title: "Open", isShown: !isDecided },
          { href: `${path}/decided`, title: "Decided", isShown: isDecided },
        ]}
      />
      {children}
    </Head>
  );
}

/** Open reviews, oldest first. */
function Open({ desk, server, place, path, version, onPress, onRun }: PartProps) {
  const { answer, instead } = useAnswer(desk, "/queue", place.query, version);
  const [chosen, setChosen] = useState<string[]>([]);
  if (!answer) return instead;
  const { items, load, next, names } = answer;
  // Reviews that others decided meanwhile are no longer selected.
  const numbers = items.map(({ number }) => number).filter((number) => chosen.includes(number));
  const choose = (number: string) =>
    setChosen(numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number]);
  const filter = (change: Query) => goTo(withQuery(path, { ...place.query, after: undefined, ...change }));
  return (
    <>
      <QueueHead path={path}>
        <p class="dim">{describeLoad(load)}</p>
        <div class="filters">
          <ChannelField
            channels={server.channels}
            chosen={place.query.channel}
            all
            onChoose={(channel) => filter({ channel })}
          />
          <SelectField
            label="Queue"
            none="all"
            choices={load.queues.map(({ queue, waiting }) => [queue, `${queue} (${waiting})`])}
            chosen={place.query.queue}
            onChoose={(queue) => filter({ queue })}
          />
        </div>
      </QueueHead>
      <DecideSeveral desk={desk} numbers={numbers} onRun={onRun} onNone={() => setChosen([])} />
      {items.length === 0 && <p class="empty">Nothing is waiting for a decision.</p>}
      <ul class="items">
        {items.map((item) => (
          <li key={item.number}>
            <Review item={item} names={names} server={server} onPress={onPress}>
              <SelectBox
                label={item.number}
                isChosen={numbers.includes(item.number)}
                onChoose={() => choose(item.number)}
              />
            </Review>
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
  return (
    <>
      <QueueHead path={path} isDecided>
        <div class="filters">
          <ChannelField
            channels={server.channels}
            chosen={place.query.channel}
            all
            onChoose={(channel) => goTo(withQuery(`${path}/decided`, { channel }))}
          />
        </div>
      </QueueHead>
      {instead}
      {answer?.items.length === 0 && <p class="empty">Nothing was decided yet.</p>}
      <ul class="items">
        {answer?.items.map((item) => (
          <li key={item.number}>
            <Review item={item} names={answer.names} server={server} onPress={onPress} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ReviewProps extends Pick<PartProps, "server" | "onPress"> {
  item: DeskAnswers["/queue"]["items"][number];
  names: Known;
  children?: ComponentChildren;
}

/** A review. Its buttons wait until one of them is answered. */
function Review({ item: { number, fid, view }, names, server, onPress, children }: ReviewProps) {
  const [isBusy, setBusy] = useState(false);
  const press = async (customId: string, value?: string) => {
    setBusy(true);
    await onPress(customId, value).finally(() => setBusy(false));
  };
  return (
    <Item label={`Review ${number}`}>
      <View view={view} names={names} isBusy={isBusy} onPress={press} />
      <div class="beside">
        {children}
        {fid !== null && <WhoIsThis href={`/console/${server.id}/people?user=${fid}`} />}
      </div>
    </Item>
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
