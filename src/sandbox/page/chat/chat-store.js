import { askFor, Refusal, send } from "../ask.js";
import { addNewer, addOlder, compareIds, dropMessage, openWindow, putMessage, trim } from "./room-window.js";
import { createStore } from "./shared-state.js";

/**
 * The chat as one person sees it: kept up to date by the server's events, changed by what the person does. It opens at
 * `roomId` if the person may see that room.
 */
export function openChat(userId, roomId = null) {
  const store = createStore({
    userId,
    view: null,
    roomId,
    /** By room; one that was not opened yet has none. */
    windows: {},
    /** The newest message that was told of each room, also where it is beyond the window. */
    newest: {},
    /** By room: how many came since it was looked at, and how many of them name this person. */
    unread: {},
    typing: {},
    /** Interactions that wait for the bot, or that it left without an answer. */
    waiting: [],
    modal: null,
    /** A command to be filled in, that was clicked in a message. */
    draft: null,
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
  const soon = inBatches();
  on("message", (message) => soon(() => takeMessage(store, message)));
  on("message_removed", ({ roomId, messageId }) =>
    soon(() => changeRoom(store, roomId, (window) => dropMessage(window, messageId))),
  );
  on("interaction", ({ interactionId, state }) => moveInteraction(store, interactionId, state));
  on("modal", (modal) => store.change({ modal }));
  on("typing", ({ roomId }) => showTyping(store, roomId));
  for (const name of ["rooms", "commands", "presence"]) on(name, () => loadView(store));
  return { store, close: () => events.close() };
}

/** Milliseconds. */
const breath = 60;

/** Does the first thing at once and what follows closely together, so that a flood is not drawn message by message. */
function inBatches() {
  let waiting = null;
  const doAll = () => {
    const batch = waiting;
    waiting = batch.length > 0 ? [] : null;
    if (waiting) setTimeout(doAll, breath);
    for (const work of batch) work();
  };
  return (work) => {
    if (waiting) return void waiting.push(work);
    waiting = [];
    setTimeout(doAll, breath);
    return work();
  };
}

async function refresh(store) {
  await loadView(store);
  const { roomId } = store.state;
  if (roomId) await loadNewest(store, roomId);
}

async function loadView(store) {
  const view = await attempt(store, () => askFor("/chat/view", { user: store.state.userId }));
  if (!view) return;
  const rooms = [...view.guilds.flatMap((guild) => guild.rooms), ...view.directRooms];
  const stays = rooms.some((room) => room.id === store.state.roomId);
  store.change({ view });
  if (!stays) await openRoom(store, rooms[0]?.id ?? null);
}

const remembered = "castellan.room";

/** The room that was open last in this browser, for whoever comes back to the page. */
export function lastRoom() {
  return localStorage.getItem(remembered);
}

export async function openRoom(store, roomId) {
  if (roomId) localStorage.setItem(remembered, roomId);
  store.change((state) => ({ roomId, unread: { ...state.unread, [roomId]: undefined } }));
  if (roomId && !store.state.windows[roomId]) await loadNewest(store, roomId);
}

/** Loads under way. What happens meanwhile may or may not be in their answer, so it is done again after it. */
const loads = new Set();

/** `take` gives the room's new window for the messages that were found, or nothing where they fit no more. */
async function load(store, room, query, take) {
  const own = { store, room, query, meanwhile: [] };
  loads.add(own);
  const asked = { user: store.state.userId, room, ...query };
  const found = await attempt(store, () => askFor("/chat/messages", asked));
  loads.delete(own);
  const window = found && take(found, store.state.windows[room]);
  if (!window) return;
  setWindow(store, room, window);
  for (const change of own.meanwhile) changeRoom(store, room, change);
}

/** Loads a room's newest in place of what is held of it. */
export const loadNewest = (store, room) => load(store, room, {}, openWindow);

export async function loadOlder(store) {
  const { roomId: room, windows } = store.state;
  const before = windows[room]?.messages[0]?.id;
  if (!before || windows[room].complete || isLoading(store, room)) return;
  await load(store, room, { before }, (found, window) =>
    window?.messages[0]?.id === before ? addOlder(window, found) : undefined,
  );
}

export async function loadNewer(store) {
  const { roomId: room, windows } = store.state;
  const after = windows[room]?.messages.at(-1)?.id;
  if (!after || !windows[room].cut || isLoading(store, room)) return;
  await load(store, room, { after }, (found, window) =>
    window?.messages.at(-1)?.id === after ? addNewer(window, found) : undefined,
  );
}

function isLoading(store, room) {
  return [...loads].some((load) => load.store === store && load.room === room);
}

function setWindow(store, room, window) {
  if (store.state.windows[room] === window) return;
  store.change((state) => ({ windows: { ...state.windows, [room]: window } }));
}

/** Changes what is held of a room by `change`, which gives the new window for the old. */
function changeRoom(store, room, change) {
  for (const load of loads) if (load.store === store && load.room === room) load.meanwhile.push(change);
  const known = store.state.windows[room];
  if (known) setWindow(store, room, change(known));
}

function takeMessage(store, message) {
  const room = message.channel_id;
  const { windows, userId, view, typing } = store.state;
  const isKnown = windows[room]?.messages.some(({ id }) => id === message.id);
  if (!isKnown && !message.edited_timestamp && room !== store.state.roomId) {
    const { count, pings } = store.state.unread[room] ?? { count: 0, pings: 0 };
    const pinged = pings + (isPinged(message, userId, view) ? 1 : 0);
    store.change(({ unread }) => ({ unread: { ...unread, [room]: { count: count + 1, pings: pinged } } }));
  }
  const { newest } = store.state;
  if (compareIds(newest[room] ?? "", message.id) < 0)
    store.change({ newest: { ...newest, [room]: message.id } });
  if (typing[room]) store.change({ typing: { ...typing, [room]: false } });
  changeRoom(store, room, (window) => trim(putMessage(window, message), store.reading === room));
}

/** Whether a message names this person: themselves, a role of theirs, or everybody. */
export function isPinged(message, userId, view) {
  if (message.mention_everyone || message.mentions.some(({ id }) => id === userId)) return true;
  const roles = view?.people.find(({ id }) => id === userId)?.roleIds ?? [];
  return message.mention_roles.some((id) => roles.includes(id));
}

/** Whether somebody reads further up in the open room: then what they read stays. */
export function setReading(store, isReading) {
  const { roomId, windows } = store.state;
  store.reading = isReading ? roomId : null;
  if (windows[roomId]) setWindow(store, roomId, trim(windows[roomId], isReading));
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
  // A message whose button is gone says itself what has become of it.
  const isGone = ({ code }) => code === "expired" && place.message !== undefined;
  const started = await attempt(store, () => send(path, { user, room, ...body }), isGone);
  if (!started) return false;
  markWaiting(store, started.interaction, { ...place, room });
  return true;
}

let drafts = 0;

/** Puts a command where one writes. */
export function writeCommand(store, text) {
  store.change({ draft: { id: ++drafts, text } });
}

async function attempt(store, work, isKnown = () => false) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!isKnown(error)) store.change({ notice: error.message });
    return undefined;
  }
}
