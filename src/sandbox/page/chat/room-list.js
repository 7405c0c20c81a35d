import { openRoom } from "./chat-store.js";
import { html } from "htm/preact";

export function RoomList({ store, state }) {
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
      ${connected ? `${bot.name} is ${presence}` : "Connection lost. Trying again …"}
    </p>
  `;
}

function RoomLink({ store, state, room, label }) {
  const unread = state.unread[room.id] ?? 0;
  const current = room.id === state.roomId;
  return html`
    <button
      type="button"
      class=${`room-link ${unread > 0 ? "unread" : ""}`}
      aria-current=${current ? "page" : undefined}
      onClick=${() => openRoom(store, room.id)}
    >
      <span class="room-sign" aria-hidden="true">${room.direct ? "@" : "#"}</span>
      <span class="room-name">${label ?? room.name}</span>
      ${room.denied.length > 0 && html`<span class="room-lock" title="The bot is kept out of something here">🔒</span>`}
      ${unread > 0 && html`<span class="badge" aria-label=${`${unread} new`}>${unread > 99 ? "99+" : unread}</span>`}
    </button>
  `;
}
