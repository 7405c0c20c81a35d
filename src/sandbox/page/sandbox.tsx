import { render, type FunctionComponent, type RefObject, type TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatPerson } from "../chat-pane/chat-view.ts";
import { askFor } from "./ask.ts";
import { Avatar } from "./avatar.tsx";
import { ChatPane } from "./chat/chat-pane.tsx";
import { NetworkPane } from "./network-pane.tsx";
import { readPeople, type NetworkPerson } from "./network.ts";
import type { PaneProps } from "./pane-props.ts";

interface Pane {
  id: string;
  title: string;
  Pane: FunctionComponent<PaneProps>;
}

const builders: Readonly<Record<"chat" | "network", () => Promise<Pane>>> = {
  chat: async () => ({ id: "chat", title: "Chat", Pane: ChatPane }),
  network: async () => ({ id: "network", title: "Network", Pane: networkPaneOf(await readPeople()) }),
};

/** The page's panes from left to right. A sandbox without a network has only the chat. */
async function findPanes(): Promise<Pane[]> {
  const served = (await askFor("/panes")) as (keyof typeof builders)[];
  return Promise.all(served.map((id) => builders[id]()));
}

function networkPaneOf(people: readonly NetworkPerson[]): Pane["Pane"] {
  return ({ acting, channelId, onChannel }) => {
    const person = people.find(({ userId }) => userId === acting.id);
    if (!person) return <p class="waiting">{acting.displayName} has no account on the network.</p>;
    return <NetworkPane person={person} channelId={channelId} onChannel={onChannel} />;
  };
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

interface PersonSwitcherProps {
  people: readonly ChatPerson[];
  acting: ChatPerson;
  onChoose: (userId: string) => void;
}

/** The current person. Every pane acts and sees as this person. */
function PersonSwitcher({ people, acting, onChoose }: PersonSwitcherProps) {
  const group = useRef<HTMLDivElement>(null);
  const { more, onScroll } = useMore(group, [people.length, acting.id]);
  useEffect(
    () =>
      group.current
        ?.querySelector("[aria-checked=true]")
        ?.scrollIntoView({ inline: "nearest", block: "nearest" }),
    [acting.id],
  );
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = people.findIndex(({ id }) => id === acting.id);
    const next = (at + step + people.length) % people.length;
    onChoose(people[next]?.id ?? acting.id);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]")[next]?.focus();
  };
  return (
    <div
      class={`people ${more}`}
      role="radiogroup"
      aria-label="Acting as"
      ref={group}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <span class="people-label" aria-hidden="true">
        Acting as
      </span>
      {people.map((person) => (
        <button
          key={person.id}
          type="button"
          class="person"
          role="radio"
          aria-checked={person.id === acting.id}
          tabindex={person.id === acting.id ? 0 : -1}
          title={`${person.displayName} (${person.roles.join(", ") || "no role"})`}
          onClick={() => onChoose(person.id)}
        >
          <Avatar id={person.id} name={person.displayName} small />
          <span class="person-name">{person.displayName}</span>
        </button>
      ))}
    </div>
  );
}

/** The sides on which a scrolling row has more content. */
function useMore(row: RefObject<HTMLElement | null>, changes: readonly unknown[]) {
  const [more, setMore] = useState("");
  const look = () => {
    if (!row.current) return;
    const { scrollLeft, scrollWidth, clientWidth } = row.current;
    const isMoreBefore = scrollLeft > 4;
    const isMoreAfter = scrollWidth - clientWidth - scrollLeft > 4;
    setMore(`${isMoreBefore ? "more-before" : ""} ${isMoreAfter ? "more-after" : ""}`.trim());
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (row.current) observer.observe(row.current);
    return () => observer.disconnect();
  }, changes);
  return { more, onScroll: look };
}

const remembered = "castellan.acting";

interface Found {
  people: readonly ChatPerson[];
  panes: readonly Pane[];
}

function Shell() {
  const [{ people, panes }, setFound] = useState<Found>({ people: [], panes: [] });
  const [actingId, setActingId] = useState(localStorage.getItem(remembered));
  const [shown, setShown] = useState("chat");
  const [channelId, setChannelId] = useState("garden");
  useEffect(() => {
    const load = () =>
      Promise.all([askFor("/chat/people") as Promise<ChatPerson[]>, findPanes()]).then(
        ([people, panes]) => setFound({ people, panes }),
        () => setTimeout(() => void load(), 1000),
      );
    void load();
  }, []);
  const acting = people.find((person) => person.id === actingId) ?? people[0];
  const choose = (id: string) => {
    localStorage.setItem(remembered, id);
    setActingId(id);
  };
  return (
    <>
      <header class="bar">
        <h1 class="brand">
          <img src="/page/castle.svg" alt="" width="26" height="26" />
          Castellan <span>sandbox</span>
        </h1>
        {panes.length > 1 && <PaneTabs panes={panes} shown={shown} onShow={setShown} />}
        {acting && <PersonSwitcher people={people} acting={acting} onChoose={choose} />}
      </header>
      <main class="panes" data-shown={shown}>
        {acting ? (
          panes.map(({ id, title, Pane }) => (
            <section key={id} class="pane" aria-label={title} data-pane={id}>
              <Pane acting={acting} onBe={choose} channelId={channelId} onChannel={setChannelId} />
            </section>
          ))
        ) : (
          <p class="waiting" role="status">
            Waiting for the sandbox…
          </p>
        )}
      </main>
    </>
  );
}

interface PaneTabsProps {
  panes: readonly Pane[];
  shown: string;
  onShow: (id: string) => void;
}

/** Only a narrow page needs them; a wide one shows its panes next to each other. */
function PaneTabs({ panes, shown, onShow }: PaneTabsProps) {
  return (
    <nav class="tabs" aria-label="Panes">
      {panes.map(({ id, title }) => (
        <button key={id} type="button" aria-pressed={shown === id} onClick={() => onShow(id)}>
          {title}
        </button>
      ))}
    </nav>
  );
}

const root = document.getElementById("sandbox");
if (root) render(<Shell />, root);
