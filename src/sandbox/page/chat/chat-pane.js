import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { act, lastRoom, openChat, openRoom } from "./chat-store.js";
import { Composer } from "./composer.js";
import { Feed } from "./feed.js";
import { ModalForm } from "./modal-form.js";
import { useStore } from "./shared-state.js";
import { Welcome } from "./welcome.js";

export function ChatPane({ acting, onBe }) {
  const [chat, setChat] = useState(null);
  useEffect(() => {
    const opened = openChat(acting.id, chat?.store.state.roomId ?? lastRoom());
    setChat(opened);
    return opened.close;
  }, [acting.id]);
  // Until the chat is the new person's, nobody sees what the one before saw.
  if (chat?.store.state.userId !== acting.id) return null;
  return html`<${Chat} key=${acting.id} store=${chat.store} acting=${acting} onBe=${onBe} />`;
}

function Chat({ store, acting, onBe }) {
  const state = useStore(store);
  const { view, roomId, modal } = state;
  if (!view) return html`<p class="waiting" role="status">Loading the rooms…</p>`;
  const guild = view.guilds.find(({ rooms }) => rooms.some(({ id }) => id === roomId));
  const room =
    guild?.rooms.find(({ id }) => id === roomId) ?? view.directRooms.find(({ id }) => id === roomId);
  const start =
    view.tour && room && room === guild?.rooms[0]
      ? html`<${Welcome} store=${store} guild=${guild} onBe=${onBe} />`
      : null;
  return html`
    <div class="chat">
      <${RoomList} store=${store} state=${state} />
      ${
        room &&
        html`
          <div class="room">
            <${RoomHeader} key=${`header-${room.id}`} store=${store} room=${room} bot=${view.bot} />
            <${Feed} key=${`feed-${room.id}`} store=${store} state=${state} guild=${guild} start=${start} />
            <${Composer}
              key=${`composer-${room.id}`}
              store=${store}
              state=${state}
              room=${room}
              guild=${guild}
              acting=${acting}
            />
          </div>
        `
      }
      ${modal && html`<${ModalForm} key=${modal.interactionId} store=${store} view=${view} opened=${modal} />`}
    </div>
  `;
}

function RoomList({ store, state }) {
  const { view } = state;
  return html`
    <nav class="rooms" aria-label="Rooms">
      ${view.guilds.map(
        (guild) => html`
          <div key=${guild.id} class="room-group">
            <h2>${guild.name}</h2>
            ${guild.rooms.map((room) => html`<${RoomLink} key=${room.id} store=${store} state=${state} room=${room} />`)}
          </div>
        `,
      )}
      ${
        view.directRooms.length > 0 &&
        html`
          <div class="room-group">
            <h2>Direct</h2>
            ${view.directRooms.map(
              (room) =>
                html`<${RoomLink}
                  key=${room.id}
                  store=${store}
                  state=${state}
                  room=${room}
                  label=${view.bot.name}
                />`,
            )}
          </div>
        `
      }
      <${BotState} bot=${view.bot} connected=${state.connected} />
    </nav>
  `;
}

function BotState({ bot, connected }) {
  const presence = bot.online ? "online" : "offline";
  return html`
    <p class=${`bot-state ${connected ? presence : "offline"}`} role="status">
      ${connected ? `${bot.name} is ${presence}` : "Connection lost. Reconnecting…"}
    </p>
  `;
}

function RoomLink({ store, state, room, label }) {
  const { count = 0, pings = 0 } = state.unread[room.id] ?? {};
  const current = room.id === state.roomId;
  return html`
    <button
      type="button"
      class=${`room-link ${count > 0 ? "unread" : ""}`}
      aria-current=${current ? "page" : undefined}
      onClick=${() => openRoom(store, room.id)}
    >
      <span class="room-sign" aria-hidden="true">${room.direct ? "@" : "#"}</span>
      <span class="room-name">${label ?? room.name}</span>
      ${room.denied.length > 0 && html`<span class="room-lock" title="The bot lacks a permission here">🔒</span>`}
      ${count > 0 && html`<${UnreadBadge} count=${count} pings=${pings} />`}
    </button>
  `;
}

/** Red is for what names this person, as in Discord. */
function UnreadBadge({ count, pings }) {
  const shown = pings || count;
  return html`
    <span
      class=${pings > 0 ? "badge ping" : "badge"}
      aria-label=${pings > 0 ? `${pings} for you, ${count} new` : `${count} new`}
      >${shown > 99 ? "99+" : shown}</span
    >
  `;
}

const permissions = [
  { name: "ViewChannel", label: "view this room" },
  { name: "SendMessages", label: "send messages here" },
  { name: "EmbedLinks", label: "embed links" },
];

/** Name and topic of the room, and a way to forbid the bot things in it, to see how it takes that. */
function RoomHeader({ store, room, bot }) {
  const [open, setOpen] = useState(false);
  const toggle = (name) => {
    const denied = room.denied.includes(name)
      ? room.denied.filter((one) => one !== name)
      : [...room.denied, name];
    return act(store, "/chat/deny", { room: room.id, denied });
  };
  return html`
    <div class="room-header">
      <h2><span aria-hidden="true">${room.direct ? "@" : "#"}</span>${room.direct ? bot.name : room.name}</h2>
      <p class="topic" title=${room.topic}>${room.topic}</p>
      ${
        !room.direct &&
        html`
          <div
            class="permissions"
            onKeyDown=${(event) => event.key === "Escape" && setOpen(false)}
            onFocusOut=${(event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false)}
          >
            <button type="button" class="quiet" aria-expanded=${open} onClick=${() => setOpen(!open)}>
              ${room.denied.length > 0 ? "🔒 " : ""}Bot permissions
            </button>
            ${
              open &&
              html`
                <fieldset class="popup" tabindex="-1">
                  <legend>In #${room.name} the bot may</legend>
                  ${permissions.map(
                    ({ name, label }) => html`
                      <label key=${name}>
                        <input
                          type="checkbox"
                          checked=${!room.denied.includes(name)}
                          onChange=${() => toggle(name)}
                        />
                        ${label}
                      </label>
                    `,
                  )}
                </fieldset>
              `
            }
          </div>
        `
      }
    </div>
  `;
}
