import type { ComponentChildren, TargetedEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatGuild, ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import type { ChatState, ChatStore, Waiting } from "./chat-state.ts";
import { forget, loadNewer, loadNewest, loadOlder, setReading } from "./chat-store.ts";
import { compareIds } from "./room-window.ts";
import { memo } from "./shared-state.tsx";
import { Message } from "./message.tsx";

const ListedMessage = memo(Message);
const nothing: readonly Waiting[] = [];

const nearEnd = 80;
/** Distance in pixels from an edge at which more messages are loaded. */
const nearEdge = 400;
const sameBreath = 5 * 60_000;

interface FeedProps {
  store: ChatStore;
  state: ChatState;
  view: ChatView;
  roomId: string;
  guild: ChatGuild | undefined;
  /** Shown above the room's first message. */
  start: ComponentChildren;
}

/** The open room's messages. Stays at the end unless the reader scrolled up. */
export function Feed({ store, state, view, roomId, guild, start }: FeedProps) {
  const window = state.windows[roomId];
  const messages = window?.messages ?? [];
  const notices = state.waiting.filter(({ room, message }) => room === roomId && !message);
  const { list, behind, isNew, toEnd, onScroll } = useScrolling(store, roomId, window, notices.length);
  return (
    <div class="feed-frame">
      <div
        class="feed"
        ref={list}
        onScroll={onScroll}
        role="log"
        aria-live="polite"
        aria-label="Messages"
        tabindex={0}
      >
        <div class="feed-inner">
          {window?.complete && start}
          {window && messages.length === 0 && !start && (
            <p class="empty">
              Nothing here yet. Type <kbd>/</kbd> to see the commands.
            </p>
          )}
          {messages.length > 0 && !window?.complete && (
            <button type="button" class="link older" onClick={() => loadOlder(store)}>
              Older messages
            </button>
          )}
          {messages.map((message, index) => (
            <ListedMessage
              key={message.id}
              message={message}
              follows={continues(messages[index - 1], message)}
              newDay={startsDay(messages[index - 1], message)}
              store={store}
              view={view}
              guild={guild}
              waiting={waitingOf(state, message.id)}
            />
          ))}
          {window?.cut ? (
            <button type="button" class="link older" onClick={() => loadNewer(store)}>
              Newer messages
            </button>
          ) : (
            notices.map((notice) => <WaitingCommand key={notice.id} store={store} notice={notice} />)
          )}
        </div>
      </div>
      {behind && (
        <button type="button" class="to-end" onClick={toEnd}>
          {isNew ? "New messages" : "To the end"} ↓
        </button>
      )}
      <p class="typing" aria-live="polite">
        {state.typing[roomId] ? `${view.bot.name} is typing…` : ""}
      </p>
    </div>
  );
}

/** Keeps the reader's position: at the end, or at the message in view. */
function useScrolling(
  store: ChatStore,
  roomId: string,
  window: ChatState["windows"][string],
  noticeCount: number,
) {
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  const [behind, setBehind] = useState(false);
  /** The room's newest message when its end was last visible. */
  const seen = useRef<{ roomId: string; id: string } | null>(null);
  const last = window?.messages.at(-1)?.id ?? "";
  const told = store.state.newest[roomId] ?? "";
  const newest = compareIds(last, told) < 0 ? told : last;

  const hold = () => {
    anchor.current = atEnd.current ? null : firstInSight(list.current);
  };
  const goToEnd = () => {
    const element = list.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    setBehind(false);
  };
  const toEnd = async () => {
    atEnd.current = true;
    setReading(store, false);
    if (window?.cut) await loadNewest(store, roomId);
    goToEnd();
  };
  useLayoutEffect(() => {
    if (atEnd.current && !window?.cut) {
      goToEnd();
      seen.current = { roomId, id: newest };
    } else {
      const held = anchor.current;
      const place = held && document.getElementById(held.id);
      if (place && list.current) list.current.scrollTop += place.getBoundingClientRect().top - held.top;
      setBehind(true);
    }
    hold();
  }, [window, noticeCount]);
  useEffect(() => {
    const observer = new ResizeObserver(() => void (atEnd.current && goToEnd()));
    for (const element of [list.current, list.current?.firstElementChild]) {
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);

  const onScroll = ({ currentTarget: element }: TargetedEvent<HTMLElement>) => {
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    atEnd.current = below < nearEnd && !store.state.windows[roomId]?.cut;
    setReading(store, !atEnd.current);
    hold();
    if (atEnd.current) {
      setBehind(false);
      seen.current = { roomId, id: newest };
    }
    if (element.scrollTop < nearEdge) void loadOlder(store);
    else if (below < nearEdge) void loadNewer(store);
  };
  const isNew = seen.current?.roomId === roomId && compareIds(seen.current.id, newest) < 0;
  return { list, behind, isNew, toEnd, onScroll };
}

interface Anchor {
  id: string;
  top: number;
}

/** The topmost visible message and its position. */
function firstInSight(list: HTMLElement | null): Anchor | null {
  if (!list) return null;
  const { top } = list.getBoundingClientRect();
  for (const message of list.querySelectorAll("article")) {
    const place = message.getBoundingClientRect();
    if (place.bottom > top) return { id: message.id, top: place.top };
  }
  return null;
}

/** A message's pending interactions. Messages without any share one empty list. */
function waitingOf({ waiting }: ChatState, messageId: string): readonly Waiting[] {
  const own = waiting.filter((one) => one.message === messageId);
  return own.length > 0 ? own : nothing;
}

function WaitingCommand({ store, notice }: { store: ChatStore; notice: Waiting }) {
  const failed = notice.outcome === "failed";
  return (
    <div class={`waiting-command ${failed ? "failed" : ""}`} role="status">
      <span class="command-name">{notice.label}</span>
      {failed ? "The application did not respond" : <span class="slow">Sending…</span>}
      {failed && (
        <button type="button" class="link" onClick={() => forget(store, notice.id)}>
          Dismiss
        </button>
      )}
    </div>
  );
}

/** Whether a message continues the previous one, so that it needs no name and picture. */
function continues(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    !message.interaction_metadata &&
    !message.message_reference &&
    before.visible_to === message.visible_to &&
    Date.parse(message.timestamp) - Date.parse(before.timestamp) < sameBreath &&
    !startsDay(before, message)
  );
}

function startsDay(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return (
    before === undefined ||
    new Date(before.timestamp).toDateString() !== new Date(message.timestamp).toDateString()
  );
}
