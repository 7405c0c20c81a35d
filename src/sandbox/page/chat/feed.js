import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { forget, keepNewest, loadOlder } from "./chat-store.js";
import { memo } from "./shared-state.js";
import { Message } from "./message.js";
import { html } from "htm/preact";

const ListedMessage = memo(Message);
const nothing = [];

const nearEnd = 80;
const sameBreath = 5 * 60_000;

/** The messages of the open room. Stays at its end unless the reader scrolled up. */
export function Feed({ store, state, guild }) {
  const list = useRef(null);
  const atEnd = useRef(true);
  const heightBefore = useRef(0);
  const [behind, setBehind] = useState(false);
  const messages = state.messages[state.roomId];
  const oldest = messages?.[0]?.id;
  const notices = state.waiting.filter(
    ({ room, message, outcome }) => room === state.roomId && !message && outcome,
  );

  const toEnd = () => {
    const element = list.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    setBehind(false);
  };
  useLayoutEffect(() => {
    const element = list.current;
    if (element && !atEnd.current) element.scrollTop += element.scrollHeight - heightBefore.current;
  }, [oldest]);
  useLayoutEffect(() => {
    if (atEnd.current) {
      keepNewest(store, state.roomId);
      toEnd();
    } else setBehind(true);
    heightBefore.current = list.current?.scrollHeight ?? 0;
  }, [messages, notices.length]);
  useEffect(() => {
    const observer = new ResizeObserver(() => atEnd.current && toEnd());
    if (list.current) {
      observer.observe(list.current);
      observer.observe(list.current.firstElementChild);
    }
    return () => observer.disconnect();
  }, []);

  const onScroll = ({ currentTarget: element }) => {
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    heightBefore.current = element.scrollHeight;
    if (atEnd.current) setBehind(false);
    if (element.scrollTop < 200) void loadOlder(store);
  };

  return html`
    <div class="feed-frame">
      <div
        class="feed"
        ref=${list}
        onScroll=${onScroll}
        role="log"
        aria-live="polite"
        aria-label="Messages"
        tabindex="0"
      >
        <div class="feed-inner">
          ${messages?.length === 0 && html`<p class="empty">Nothing here yet. Type <kbd>/</kbd> to see the commands.</p>`}
          ${
            messages?.length > 0 &&
            !state.complete[state.roomId] &&
            html`<button type="button" class="link older" onClick=${() => loadOlder(store)}>
              Older messages
            </button>`
          }
          ${messages?.map(
            (message, index) => html`
              <${ListedMessage}
                key=${message.id}
                message=${message}
                follows=${continues(messages[index - 1], message)}
                newDay=${startsDay(messages[index - 1], message)}
                store=${store}
                view=${state.view}
                guild=${guild}
                waiting=${waitingOf(state, message.id)}
              />
            `,
          )}
          ${notices.map((notice) => html`<${Waiting} key=${notice.id} store=${store} notice=${notice} />`)}
        </div>
      </div>
      ${behind && html`<button type="button" class="to-end" onClick=${toEnd}>New messages ↓</button>`}
      <p class="typing" aria-live="polite">
        ${state.typing[state.roomId] ? `${state.view.bot.name} is typing…` : ""}
      </p>
    </div>
  `;
}

/** The same list for all that nothing waits for. */
function waitingOf({ waiting }, messageId) {
  const own = waiting.filter((one) => one.message === messageId);
  return own.length > 0 ? own : nothing;
}

function Waiting({ store, notice }) {
  const failed = notice.outcome === "failed";
  return html`
    <div class=${`waiting-command ${failed ? "failed" : ""}`} role="status">
      <span class="command-name">${notice.label}</span>
      ${failed ? "The application did not respond" : html`<span class="slow">Sending…</span>`}
      ${failed && html`<button type="button" class="link" onClick=${() => forget(store, notice.id)}>Dismiss</button>`}
    </div>
  `;
}

/** Whether a message goes on where the one before ended, so that it needs no name and picture of its own. */
function continues(before, message) {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    !message.interaction_metadata &&
    !message.message_reference &&
    before.visible_to === message.visible_to &&
    new Date(message.timestamp) - new Date(before.timestamp) < sameBreath &&
    !startsDay(before, message)
  );
}

function startsDay(before, message) {
  return (
    before === undefined ||
    new Date(before.timestamp).toDateString() !== new Date(message.timestamp).toDateString()
  );
}
