import { askFor, Refusal, send } from "../ask.js";
import { createStore } from "./shared-state.js";

const pageSize = 50;
/** Messages of a room that the page keeps by itself, the newest; and while somebody reads further up. */
const mostMessages = 200;
const mostWhileReading = 1000;

/**
 * The chat as one person sees it: kept up to date by the server's events, changed by what the person does. It opens at
 * `roomId` if the person may see that room.
 */
export function openChat(userId, roomId = null) {
  const store = createStore({
    userId,
    view: null,
    roomId,
    /** Oldest first, by room; a room that was not opened yet has none. */
    messages: {},
    complete: {},
    unread: {},
    typing: {},
    /** Interactions that wait for the bot, or that it left without an answer. */
    waiting: [],
    modal: null,
    notice: null,
    /** The server answers; the browser tries again by itself. */
    connected: true,
  });
  const events = new EventSource(`/chat/events?user=${encodeURIComponent(userId)}`);
  const on = (name, handle) => events.addEventListener(name, ({ data }) => handle(JSON.parse(data)));
  events.addEventListener("open", () => {
    store.change({ connected: true });
    void refresh(store);
  });
  events.addEventListener("error", () => store.change({ connected: false }));
  on("message", (message) => takeMessage(store, message));
  on("message_removed", ({ roomId, messageId }) => dropMessage(store, roomId, messageId));
  on("interaction", ({ interactionId, state }) => moveInteraction(store, interactionId, state));
  on("modal", (modal) => store.change({ modal }));
  on("typing", ({ roomId }) => showTyping(store, roomId));
  for (const name of ["rooms", "commands", "presence"]) on(name, () => loadView(store));
  return { store, close: () => events.close() };
}

async function refresh(store) {
  await loadView(store);
  const { roomId } = store.state;
  if (roomId) await loadRoom(store, roomId);
}

async function loadView(store) {
  const view = await attempt(store, () => askFor("/chat/view", { user: store.state.userId }));
  if (!view) return;
  const rooms = [...view.guilds.flatMap((guild) => guild.rooms), ...view.directRooms];
  const stays = rooms.some((room) => room.id === store.state.roomId);
  store.change({ view });
  if (!stays) await openRoom(store, rooms[0]?.id ?? null);
}

export async function openRoom(store, roomId) {
  store.change((state) => ({ roomId, unread: { ...state.unread, [roomId]: 0 } }));
  if (roomId && !store.state.messages[roomId]) await loadRoom(store, roomId);
}

/** Loads under way. What happens meanwhile may or may not be in their answer, so it is done again after it. */
const loads = new Set();

async function loadRoom(store, room) {
  const load = { store, room, meanwhile: [] };
  loads.add(load);
  const newest = await attempt(store, () => askFor("/chat/messages", { user: store.state.userId, room }));
  loads.delete(load);
  if (!newest) return;
  store.change((state) => ({
    messages: { ...state.messages, [room]: newest.toReversed() },
    complete: { ...state.complete, [room]: newest.length < pageSize },
  }));
  for (const change of load.meanwhile) changeRoom(store, room, change);
}

/** Changes the messages of a room by `change`, which gives the new list for the old. */
function changeRoom(store, room, change) {
  for (const load of loads) if (load.store === store && load.room === room) load.meanwhile.push(change);
  const known = store.state.messages[room];
  if (known) store.change((state) => ({ messages: { ...state.messages, [room]: change(known) } }));
}

export async function loadOlder(store) {
  const { roomId: room, messages, complete, userId: user } = store.state;
  const before = messages[room]?.[0]?.id;
  if (!before || complete[room]) return;
  const older = await attempt(store, () => askFor("/chat/messages", { user, room, before }));
  if (!older) return;
  store.change((state) => ({
    messages: { ...state.messages, [room]: [...older.toReversed(), ...(state.messages[room] ?? [])] },
    complete: { ...state.complete, [room]: older.length < pageSize },
  }));
}

function takeMessage(store, message) {
  const room = message.channel_id;
  const isNew = !store.state.messages[room]?.some(({ id }) => id === message.id) && !message.edited_timestamp;
  store.change(({ roomId, unread, typing }) => ({
    unread: isNew && room !== roomId ? { ...unread, [room]: (unread[room] ?? 0) + 1 } : unread,
    typing: { ...typing, [room]: false },
  }));
  changeRoom(store, room, (known) => {
    const others = known.filter(({ id }) => id !== message.id);
    const at = others.findLastIndex(({ id }) => BigInt(id) < BigInt(message.id)) + 1;
    return others.toSpliced(at, 0, message);
  });
  keepNewest(store, room, room === store.state.roomId ? mostWhileReading : mostMessages);
}

/** Lets go of a room's older messages, which can be loaded again. */
export function keepNewest(store, room, most = mostMessages) {
  const known = store.state.messages[room];
  if (!known || known.length <= most) return;
  store.change(({ messages, complete }) => ({
    messages: { ...messages, [room]: known.slice(-most) },
    complete: { ...complete, [room]: false },
  }));
}

function dropMessage(store, room, messageId) {
  changeRoom(store, room, (known) => known.filter(({ id }) => id !== messageId));
}

function showTyping(store, room) {
  store.change((state) => ({ typing: { ...state.typing, [room]: true } }));
  setTimeout(() => store.change((state) => ({ typing: { ...state.typing, [room]: false } })), 8000);
}

/** Interactions that were answered, for the answer may be told before our own request for them returns. */
const answered = new Set();

function moveInteraction(store, id, outcome) {
  if (outcome !== "answered") return markWaiting(store, id, { outcome });
  answered.add(id);
  return forget(store, id);
}

/** What is told of an interaction and what we know of it come by different roads, in any order: the id joins them. */
function markWaiting(store, id, known) {
  if (answered.has(id)) return;
  store.change(({ waiting }) => {
    const before = waiting.find((one) => one.id === id) ?? { id, outcome: "sent" };
    return { waiting: [...waiting.filter((one) => one.id !== id), { ...before, ...known }] };
  });
}

export function forget(store, id) {
  store.change(({ waiting }) => ({ waiting: waiting.filter((one) => one.id !== id) }));
}

/** Does something as the person; what the server refuses becomes a notice. Gives true where it went through. */
export async function act(store, path, body) {
  const { userId: user, roomId: room } = store.state;
  store.change({ notice: null });
  return (await attempt(store, async () => (await send(path, { user, room, ...body })) ?? {})) !== undefined;
}

/** Like `act`, for what the bot must answer; `label` and `place` say where its waiting shows. */
export async function interact(store, path, body, place) {
  const { userId: user, roomId: room } = store.state;
  store.change({ notice: null });
  const started = await attempt(store, () => send(path, { user, room, ...body }));
  if (!started) return false;
  markWaiting(store, started.interaction, { ...place, room });
  return true;
}

async function attempt(store, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    store.change({ notice: error.message });
    return undefined;
  }
}
