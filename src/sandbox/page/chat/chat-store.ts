import { Refused } from "../../../web/kit/request.ts";
import type { ChatPosts } from "../../chat-pane/chat-routes.ts";
import type { ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import type { InteractionState, RoomEvent } from "../../discord/state.ts";
import { askFor, send } from "../ask.ts";
import type { ChatState, ChatStore, OpenChat, Waiting, WaitingPlace } from "./chat-state.ts";
import {
  addNewer,
  addOlder,
  compareIds,
  dropMessage,
  openWindow,
  putMessage,
  trim,
  type RoomWindow,
} from "./room-window.ts";
import { createStore } from "./shared-state.tsx";

type Window = RoomWindow<ChatMessage>;
type EventOf<K> = Extract<RoomEvent, { kind: K }>;

/**
 * The chat as one person sees it, updated by the server's events and by the person's actions. It opens at `roomId` if
 * the person can see that room.
 */
export function openChat(userId: string, roomId: string | null): OpenChat {
  const store = createStore<ChatState>({
    userId,
    view: null,
    roomId,
    windows: {},
    newest: {},
    unread: {},
    typing: {},
    reading: null,
    waiting: [],
    modal: null,
    draft: null,
    notice: null,
    connected: true,
  });
  const events = new EventSource(`/chat/events?user=${encodeURIComponent(userId)}`);
  const on = <K extends RoomEvent["kind"]>(
    kind: K,
    handle: (event: K extends "message" ? ChatMessage : EventOf<K>) => unknown,
  ) => events.addEventListener(kind, ({ data }: MessageEvent<string>) => handle(JSON.parse(data)));
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
  for (const kind of ["rooms", "commands", "presence"] as const) on(kind, () => loadView(store));
  return { store, close: () => events.close() };
}

/** Milliseconds. */
const breath = 60;

/** Runs the first call at once and batches the calls that follow closely, so that a flood is not drawn message by message. */
function inBatches() {
  let waiting: (() => void)[] | null = null;
  const doAll = () => {
    const batch = waiting ?? [];
    waiting = batch.length > 0 ? [] : null;
    if (waiting) setTimeout(doAll, breath);
    for (const work of batch) work();
  };
  return (work: () => void) => {
    if (waiting) return void waiting.push(work);
    waiting = [];
    setTimeout(doAll, breath);
    work();
  };
}

async function refresh(store: ChatStore): Promise<void> {
  await loadView(store);
  const { roomId } = store.state;
  if (roomId) await loadNewest(store, roomId);
}

async function loadView(store: ChatStore): Promise<void> {
  const user = store.state.userId;
  const view = await attempt(store, () => askFor("/chat/view", { user }) as Promise<ChatView>);
  if (!view) return;
  const rooms = [...view.guilds.flatMap((guild) => guild.rooms), ...view.directRooms];
  const stays = rooms.some((room) => room.id === store.state.roomId);
  store.change({ view });
  if (!stays) await openRoom(store, rooms[0]?.id ?? null);
}

const remembered = "castellan.rooms";

/** The rooms that were opened in this browser. The last one is opened again at the next visit. */
export function openedRooms(): string[] {
  return localStorage.getItem(remembered)?.split(" ") ?? [];
}

export async function openRoom(store: ChatStore, roomId: string | null): Promise<void> {
  if (roomId === null) return store.change({ roomId });
  localStorage.setItem(remembered, [...openedRooms().filter((id) => id !== roomId), roomId].join(" "));
  store.change((state) => ({ roomId, unread: { ...state.unread, [roomId]: undefined } }));
  if (!store.state.windows[roomId]) await loadNewest(store, roomId);
}

/** Pending loads. Changes that arrive meanwhile may be missing in their response, so they are applied again afterwards. */
const loads = new Set<Load>();

interface Load {
  store: ChatStore;
  room: string;
  meanwhile: Change[];
}

type Change = (window: Window) => Window;

/** `take` returns the room's new window with the loaded messages, or nothing if they no longer fit. */
async function load(
  store: ChatStore,
  room: string,
  query: { before?: string; after?: string },
  take: (found: readonly ChatMessage[], window: Window | undefined) => Window | undefined,
): Promise<void> {
  const own: Load = { store, room, meanwhile: [] };
  loads.add(own);
  const asked = { user: store.state.userId, room, ...query };
  const found = await attempt(store, () => askFor("/chat/messages", asked) as Promise<ChatMessage[]>);
  loads.delete(own);
  const window = found && take(found, store.state.windows[room]);
  if (!window) return;
  setWindow(store, room, window);
  for (const change of own.meanwhile) changeRoom(store, room, change);
}

/** Replaces the stored messages of a room with its newest ones. */
export const loadNewest = (store: ChatStore, room: string) =>
  load(store, room, {}, (found) => openWindow(found));

export async function loadOlder(store: ChatStore): Promise<void> {
  const { roomId: room, windows } = store.state;
  const open = windows[room ?? ""];
  const before = open?.messages[0]?.id;
  if (!room || !before || open?.complete || isLoading(store, room)) return;
  await load(store, room, { before }, (found, window) =>
    window?.messages[0]?.id === before ? addOlder(window, found) : undefined,
  );
}

export async function loadNewer(store: ChatStore): Promise<void> {
  const { roomId: room, windows } = store.state;
  const open = windows[room ?? ""];
  const after = open?.messages.at(-1)?.id;
  if (!room || !after || !open?.cut || isLoading(store, room)) return;
  await load(store, room, { after }, (found, window) =>
    window?.messages.at(-1)?.id === after ? addNewer(window, found) : undefined,
  );
}

function isLoading(store: ChatStore, room: string): boolean {
  return [...loads].some((load) => load.store === store && load.room === room);
}

function setWindow(store: ChatStore, room: string, window: Window): void {
  if (store.state.windows[room] === window) return;
  store.change((state) => ({ windows: { ...state.windows, [room]: window } }));
}

/** Applies `change` to a room's window. */
function changeRoom(store: ChatStore, room: string, change: Change): void {
  for (const load of loads) if (load.store === store && load.room === room) load.meanwhile.push(change);
  const known = store.state.windows[room];
  if (known) setWindow(store, room, change(known));
}

function takeMessage(store: ChatStore, message: ChatMessage): void {
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
  changeRoom(store, room, (window) => trim(putMessage(window, message), store.state.reading === room));
}

/** Whether a message mentions this person, one of their roles, or everybody. */
export function isPinged(message: ChatMessage, userId: string, view: ChatView | null): boolean {
  if (message.mention_everyone || message.mentions.some(({ id }) => id === userId)) return true;
  const roles = view?.people.find(({ id }) => id === userId)?.roleIds ?? [];
  return message.mention_roles.some((id) => roles.includes(id));
}

/** Whether the user has scrolled up in the open room. */
export function setReading(store: ChatStore, isReading: boolean): void {
  const { roomId, windows } = store.state;
  store.change({ reading: isReading ? roomId : null });
  const open = windows[roomId ?? ""];
  if (roomId && open) setWindow(store, roomId, trim(open, isReading));
}

function showTyping(store: ChatStore, room: string): void {
  store.change((state) => ({ typing: { ...state.typing, [room]: true } }));
  setTimeout(() => store.change((state) => ({ typing: { ...state.typing, [room]: false } })), 8000);
}

/** Answered interactions, because an answer can arrive before our own request returns. */
const answered = new Set<string>();

function moveInteraction(store: ChatStore, id: string, outcome: InteractionState): void {
  if (outcome !== "answered") return markWaiting(store, id, { outcome });
  answered.add(id);
  return forget(store, id);
}

/** The server's event and our own request for an interaction arrive in any order. The id joins them. */
function markWaiting(store: ChatStore, id: string, known: Partial<Waiting>): void {
  if (answered.has(id)) return;
  store.change(({ waiting }) => {
    const before = waiting.find((one) => one.id === id) ?? { id, outcome: "sent" as const };
    return { waiting: [...waiting.filter((one) => one.id !== id), { ...before, ...known }] };
  });
}

export function forget(store: ChatStore, id: string): void {
  store.change(({ waiting }) => ({ waiting: waiting.filter((one) => one.id !== id) }));
}

/** The request without its sender and place, which the chat adds. */
type Body<P extends keyof ChatPosts> = Omit<ChatPosts[P], "user" | "room"> & { user?: string; room?: string };

/** Performs an action as the person. If the server refuses it, shows a notice. Returns whether it succeeded. */
export async function act<P extends keyof ChatPosts>(store: ChatStore, path: P, body: Body<P>) {
  const { userId: user, roomId: room } = store.state;
  store.change({ notice: null });
  return (await attempt(store, () => send(path, { user, room, ...body }))) !== undefined;
}

/** Like `act`, for actions that the bot must answer. `label` and `place` define where the page shows the pending state. */
export async function interact<P extends keyof ChatPosts>(
  store: ChatStore,
  path: P,
  body: Body<P>,
  place: WaitingPlace,
): Promise<boolean> {
  const { userId: user, roomId: room } = store.state;
  store.change({ notice: null });
  // If the message's button is gone, the message itself shows the outcome.
  const isGone = ({ code }: Refused) => code === "expired" && place.message !== undefined;
  const sent = () => send(path, { user, room, ...body }) as Promise<{ interaction: string }>;
  const started = await attempt(store, sent, isGone);
  if (!started) return false;
  markWaiting(store, started.interaction, { ...place, room });
  return true;
}

let drafts = 0;

/** Puts a command into the composer. */
export function writeCommand(store: ChatStore, text: string): void {
  store.change({ draft: { id: ++drafts, text } });
}

async function attempt<T>(
  store: ChatStore,
  work: () => Promise<T>,
  isKnown: (refused: Refused) => boolean = () => false,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!isKnown(error)) store.change({ notice: error.message });
    return undefined;
  }
}
