// @ts-nocheck
import { useEffect, useState } from "preact/hooks";
import { openChat } from "./chat-store.js";
import { Composer } from "./composer.js";
import { Feed } from "./feed.js";
import { ModalForm } from "./modal-form.js";
import { RoomList } from "./room-list.js";
import { RoomHeader } from "./room-header.js";
import { useStore } from "./store.js";
import { html } from "htm/preact";

export function ChatPane({ acting }) {
  const [chat, setChat] = useState(null);
  useEffect(() => {
    const opened = openChat(acting.id, chat?.store.state.roomId);
    setChat(opened);
    return opened.close;
  }, [acting.id]);
  // Until the chat is the new person's, nobody sees what the one before saw.
  if (chat?.store.state.userId !== acting.id) return null;
  return html`<${Chat} key=${acting.id} store=${chat.store} acting=${acting} />`;
}

function Chat({ store, acting }) {
  const state = useStore(store);
  const { view, roomId, modal } = state;
  if (!view) return html`<p class="waiting" role="status">Opening the rooms…</p>`;
  const guild = view.guilds.find(({ rooms }) => rooms.some(({ id }) => id === roomId));
  const room =
    guild?.rooms.find(({ id }) => id === roomId) ?? view.directRooms.find(({ id }) => id === roomId);
  return html`
    <div class="chat">
      <${RoomList} store=${store} state=${state} />
      ${
        room &&
        html`
          <div class="room">
            <${RoomHeader} key=${`header-${room.id}`} store=${store} room=${room} bot=${view.bot} />
            <${Feed} key=${`feed-${room.id}`} store=${store} state=${state} guild=${guild} />
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
