import { useEffect, useState } from "preact/hooks";
import { Link } from "../../../web/kit/link.tsx";
import type { ChatRoom, ChatView } from "../../chat-pane/chat-view.ts";
import { Icon } from "../icon.tsx";
import type { PaneProps } from "../pane-props.ts";
import type { ChatState, ChatStore, OpenChat } from "./chat-state.ts";
import { act, openedRooms, openChat, openRoom } from "./chat-store.ts";
import { Composer } from "./composer.tsx";
import { Feed } from "./feed.tsx";
import { staysWithin } from "./message-menu.tsx";
import { ModalForm } from "./modal-form.tsx";
import { useStore } from "./shared-state.tsx";
import { Welcome } from "./welcome.tsx";

export function ChatPane(props: PaneProps) {
  const { acting } = props;
  const [chat, setChat] = useState<OpenChat | null>(null);
  useEffect(() => {
    const opened = openChat(acting.id, chat?.store.state.roomId ?? openedRooms().at(-1) ?? null);
    setChat(opened);
    return opened.close;
  }, [acting.id]);
  // Hide the previous person's view until the new person's chat has loaded.
  if (chat?.store.state.userId !== acting.id) return null;
  return <Chat key={acting.id} store={chat.store} {...props} />;
}

function Chat({ store, acting, onBe, onChannel }: PaneProps & { store: ChatStore }) {
  const state = useStore(store);
  const { view, roomId, modal } = state;
  const guild = view?.guilds.find(({ rooms }) => rooms.some(({ id }) => id === roomId));
  const room =
    guild?.rooms.find(({ id }) => id === roomId) ?? view?.directRooms.find(({ id }) => id === roomId);
  // The network pane follows the room to the channel that its topic names.
  useEffect(() => {
    const [, channelId] = /\/([\w-]+)/.exec(room?.topic ?? "") ?? [];
    if (channelId) onChannel(channelId);
  }, [room?.id]);
  if (!view)
    return (
      <p class="waiting" role="status">
        Loading the rooms…
      </p>
    );
  const start =
    view.tour && guild && room && room === guild.rooms[0] ? (
      <Welcome store={store} view={view} guild={guild} onBe={onBe} onChannel={onChannel} />
    ) : null;
  return (
    <div class="chat">
      <RoomList store={store} state={state} view={view} />
      {room && (
        <div class="room">
          <RoomHeader key={`header-${room.id}`} store={store} room={room} bot={view.bot} />
          <Feed
            key={`feed-${room.id}`}
            store={store}
            state={state}
            view={view}
            roomId={room.id}
            guild={guild}
            start={start}
          />
          <Composer
            key={`composer-${room.id}`}
            store={store}
            state={state}
            view={view}
            room={room}
            guild={guild}
            acting={acting}
          />
        </div>
      )}
      {modal && <ModalForm key={modal.interactionId} store={store} view={view} opened={modal} />}
    </div>
  );
}

interface RoomListProps {
  store: ChatStore;
  state: ChatState;
  view: ChatView;
}

function RoomList({ store, state, view }: RoomListProps) {
  return (
    <nav class="rooms" aria-label="Rooms">
      {view.guilds.map((guild) => (
        <div key={guild.id} class="room-group">
          <h2>{guild.name}</h2>
          {guild.rooms.map((room) => (
            <RoomLink key={room.id} store={store} state={state} room={room} />
          ))}
        </div>
      ))}
      {view.directRooms.length > 0 && (
        <div class="room-group">
          <h2>Direct</h2>
          {view.directRooms.map((room) => (
            <RoomLink key={room.id} store={store} state={state} room={room} label={view.bot.name} />
          ))}
        </div>
      )}
      <p class="room-foot">
        <Link url={view.console}>Open the console</Link>
      </p>
      <BotState bot={view.bot} connected={state.connected} />
    </nav>
  );
}

function BotState({ bot, connected }: { bot: ChatView["bot"]; connected: boolean }) {
  const presence = bot.online ? "online" : "offline";
  return (
    <p class={`bot-state ${connected ? presence : "offline"}`} role="status">
      {connected ? `${bot.name} is ${presence}` : "Connection lost. Reconnecting…"}
    </p>
  );
}

interface RoomLinkProps {
  store: ChatStore;
  state: ChatState;
  room: ChatRoom;
  label?: string;
}

function RoomLink({ store, state, room, label }: RoomLinkProps) {
  const { count = 0, pings = 0 } = state.unread[room.id] ?? {};
  const current = room.id === state.roomId;
  return (
    <button
      type="button"
      class={`room-link ${count > 0 ? "unread" : ""}`}
      aria-current={current ? "page" : undefined}
      onClick={() => openRoom(store, room.id)}
    >
      <span class="room-sign" aria-hidden="true">
        {room.direct ? "@" : "#"}
      </span>
      <span class="room-name">{label ?? room.name}</span>
      {room.denied.length > 0 && <Icon sign="lock" title="The bot lacks a permission here" />}
      {count > 0 && <UnreadBadge count={count} pings={pings} />}
    </button>
  );
}

/** Red marks messages that mention this person, as in Discord. */
function UnreadBadge({ count, pings }: { count: number; pings: number }) {
  const shown = pings || count;
  return (
    <span
      class={pings > 0 ? "badge ping" : "badge"}
      aria-label={pings > 0 ? `${pings} for you, ${count} new` : `${count} new`}
    >
      {shown > 99 ? "99+" : shown}
    </span>
  );
}

const permissions = [
  { name: "ViewChannel", label: "view this room" },
  { name: "SendMessages", label: "send messages here" },
  { name: "EmbedLinks", label: "embed links" },
] as const;

/** The room's name and topic, and switches that deny the bot permissions, to see how it reacts. */
function RoomHeader({ store, room, bot }: { store: ChatStore; room: ChatRoom; bot: ChatView["bot"] }) {
  const [open, setOpen] = useState(false);
  const toggle = (name: ChatRoom["denied"][number]) => {
    const denied = room.denied.includes(name)
      ? room.denied.filter((one) => one !== name)
      : [...room.denied, name];
    return act(store, "/chat/deny", { room: room.id, denied });
  };
  return (
    <div class="room-header">
      <h2>
        <span aria-hidden="true">{room.direct ? "@" : "#"}</span>
        {room.direct ? bot.name : room.name}
      </h2>
      <p class="topic" title={room.topic}>
        {room.topic}
      </p>
      {!room.direct && (
        <div
          class="permissions"
          onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
          onFocusOut={(event) => staysWithin(event) || setOpen(false)}
        >
          <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {room.denied.length > 0 && <Icon sign="lock" />} Bot permissions
          </button>
          {open && (
            <fieldset class="popup" tabindex={-1}>
              <legend>In #{room.name} the bot may</legend>
              {permissions.map(({ name, label }) => (
                <label key={name}>
                  <input
                    type="checkbox"
                    checked={!room.denied.includes(name)}
                    onChange={() => toggle(name)}
                  />
                  {label}
                </label>
              ))}
            </fieldset>
          )}
        </div>
      )}
    </div>
  );
}
