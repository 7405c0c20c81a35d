import {
  ComponentType,
  DefaultRestOptions,
  MessageType,
  SnowflakeUtil,
  REST,
  Routes,
  type APIChannel,
  type APIEmbed,
  type APIMessage,
  type RESTOptions,
} from "discord.js";
import { exponentialBackoff } from "../async.ts";
import type { ClockWatch } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { PostedMessage, RoomEmbed, RoomMessage, Rooms } from "../feed/rooms.ts";
import { decodeCustomId } from "../text/custom-id.ts";
import type { Refusals } from "./count-refusals.ts";
import { explainRoomRefusal, isAddressBlocked } from "./explain-refusal.ts";
import { toComponents, toEmbeds } from "./view.ts";

/** Milliseconds. Waiting longer for a rate limit would outlast the lease on a room. */
const longestWait = 15_000;

const pageSize = 100;
/** Maximum pages of a room's history to search. Posts from before a crash are on the first ones. */
const maxPages = 200;

interface RoomSettings {
  token: string;
  /** Base address of Discord's REST API, without version. */
  api: string;
  /** Called when Discord no longer accepts the token. */
  onRefused: (error: AppError) => void;
  clockWatch?: Pick<ClockWatch, "onJump">;
  /** Counts refused calls, and slows down. */
  refusals?: Pick<Refusals, "watch" | "reserve">;
}

/** Rooms over REST only, so that a worker can post without a gateway. Waits after 429 and retries after 5xx. */
export function createRooms(settings: RoomSettings): Rooms {
  const send: RESTOptions["makeRequest"] = (url, init) => DefaultRestOptions.makeRequest(url, init);
  const roomResets = noteRoomResets(settings.refusals?.watch(send) ?? send);
  const rest = new REST({
    api: settings.api,
    version: "10",
    makeRequest: roomResets.makeRequest,
    rejectOnRateLimit: ({ timeToReset, retryAfter }) => Math.max(timeToReset, retryAfter) > longestWait,
  }).setToken(settings.token);
  if (settings.clockWatch) forgetLimitsOnJump(rest, settings.clockWatch);
  const gate = createGate();
  let ownId: Promise<string> | undefined;

  async function call<T>(ask: () => Promise<unknown>): Promise<T> {
    gate.pass();
    const wait = settings.refusals?.reserve() ?? 0;
    if (wait > 0) {
      const message = "Discord recently refused too many calls, so Castellan makes fewer for now.";
      throw new AppError("discord_unreachable", message, { retryAfter: Math.ceil(wait / 1000) });
    }
    try {
      // Each route's response has the documented shape.
      const answer = (await ask()) as T;
      gate.opened();
      return answer;
    } catch (error) {
      if (isAddressBlocked(error)) gate.blocked();
      const explained = explainRoomRefusal(error);
      if (explained.code === "invalid_configuration") settings.onRefused(explained);
      throw explained;
    }
  }

  function readOwnId(): Promise<string> {
    ownId ??= call<{ id: string }>(() => rest.get(Routes.user())).then(
      (user) => user.id,
      (error: unknown) => {
        ownId = undefined;
        throw error;
      },
    );
    return ownId;
  }

  function readPage(roomId: string, page: { after?: string }): Promise<APIMessage[]> {
    const query = new URLSearchParams({ limit: String(pageSize), ...page });
    return call(() => rest.get(Routes.channelMessages(roomId), { query }));
  }

  /** Without Read Message History the list is empty, not refused. The room itself has the id of its last message. */
  async function isHidden(roomId: string, after: string): Promise<boolean> {
    const [newest] = await readPage(roomId, {});
    if (newest) return false;
    const room = await call<APIChannel>(() => rest.get(Routes.channel(roomId)));
    const last = "last_message_id" in room ? room.last_message_id : undefined;
    return typeof last === "string" && BigInt(last) > BigInt(after);
  }

  return {
    async post(roomId, message) {
      const body = { ...toBody(message), nonce: message.nonce, enforce_nonce: true };
      const { id } = await call<APIMessage>(() => rest.post(Routes.channelMessages(roomId), { body }));
      return id;
    },
    resetAfter: roomResets.resetAfter,
    async openDirect(userId) {
      const body = { recipient_id: userId };
      const { id } = await call<APIChannel>(() => rest.post(Routes.userChannels(), { body }));
      return id;
    },
    async edit(roomId, messageId, message) {
      const body = toBody(message);
      const { embeds } = await call<APIMessage>(() =>
        rest.patch(Routes.channelMessage(roomId, messageId), { body }),
      );
      if (body.embeds.length === 0 || embeds.length > 0) return;
      // Discord does not refuse such an edit: it removes the embeds.
      throw new AppError(
        "room_unavailable",
        "Castellan lacks Embed Links in that room, so a message there has lost its text. Give it Embed Links.",
      );
    },
    async recent(roomId) {
      const own = await readOwnId();
      const messages = await readPage(roomId, {});
      return messages.filter((message) => message.author.id === own && isPost(message)).map(toPosted);
    },
    async find(roomId, sinceMs, fits) {
      const own = await readOwnId();
      const start = String(
        SnowflakeUtil.generate({ timestamp: sinceMs, increment: 0n, workerId: 0n, processId: 0n }),
      );
      let after = start;
      for (let page = 0; page < maxPages; page += 1) {
        const messages = await readPage(roomId, { after });
        const found = messages
          .filter(({ author }) => author.id === own)
          .map(toPosted)
          .find(fits);
        if (found) return found;
        if (messages.length < pageSize) break;
        after = messages.reduce((last, { id }) => (BigInt(id) > BigInt(last) ? id : last), after);
      }
      return after === start && (await isHidden(roomId, start)) ? "hidden" : undefined;
    },
  };
}

/** A message that cannot be serialized is treated as refused, because retrying does not help. */
function toBody(message: RoomMessage): ReturnType<typeof writeBody> {
  try {
    const body = writeBody(message);
    JSON.stringify(body);
    return body;
  } catch (cause) {
    throw new AppError("message_refused", "The message cannot be converted to Discord's format.", { cause });
  }
}

function writeBody({ embeds, buttons = [], mention }: RoomMessage) {
  return {
    ...(mention !== undefined && { content: `<@&${mention}>` }),
    embeds: toEmbeds(embeds),
    components: toComponents(buttons),
    allowed_mentions: { parse: [], ...(mention !== undefined && { roles: [mention] }) },
  };
}

/** Discord itself sends answers to interactions, and lines such as "pinned a message". */
function isPost(message: APIMessage): boolean {
  const { type, webhook_id, interaction_metadata } = message;
  const isOwn =
    type === MessageType.Default && webhook_id === undefined && interaction_metadata === undefined;
  return isOwn && !announcesAnswer(message);
}

/** A late command result, which is posted like any message. */
function announcesAnswer({ components = [] }: APIMessage): boolean {
  const buttons = components.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []));
  return buttons.some((one) => "custom_id" in one && decodeCustomId(one.custom_id).kind === "answer");
}

function toPosted({ id, embeds }: APIMessage): PostedMessage {
  return { id, embeds: embeds.map(toEmbed) };
}

function toEmbed({ title, description, color, fields, footer, timestamp }: APIEmbed): RoomEmbed {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(color !== undefined && { color }),
    ...(fields && { fields }),
    ...(footer && { footer: footer.text }),
    ...(timestamp !== undefined && { timestamp: Date.parse(timestamp) }),
  };
}

/** Stores with each post when its room accepts the next one. discord.js waits for that, but does not expose it. */
function noteRoomResets(makeRequest: RESTOptions["makeRequest"]) {
  /** By `performance.now()`. */
  const endOf = new Map<string, number>();
  return {
    makeRequest: async (...[url, init]: Parameters<RESTOptions["makeRequest"]>) => {
      const response = await makeRequest(url, init);
      const roomId = init.method === "POST" ? postsTo.exec(url)?.[1] : undefined;
      const { headers } = response;
      if (roomId !== undefined && headers.get("x-ratelimit-remaining") === "0") {
        endOf.set(roomId, performance.now() + 1000 * Number(headers.get("x-ratelimit-reset-after")));
      }
      return response;
    },
    resetAfter: (roomId: string): number => {
      const left = Math.ceil((endOf.get(roomId) ?? 0) - performance.now());
      if (left > 0) return left;
      endOf.delete(roomId);
      return 0;
    },
  };
}

const postsTo = /\/channels\/(\d+)\/messages$/;

/** Milliseconds that calls are stopped when this machine is blocked: at first, and at most. */
const blockPauses = { first: 60_000, longest: 15 * 60_000 };

/** Stops calls while Discord refuses all of them, so that they do not add to the count of refused calls. */
function createGate() {
  let closedUntil = 0;
  let blocks = 0;
  return {
    /** Throws `discord_unreachable` while calls are stopped. */
    pass(): void {
      const left = Math.ceil((closedUntil - performance.now()) / 1000);
      if (left <= 0) return;
      const message = "Discord refuses calls from this machine, so Castellan waits before it tries again.";
      throw new AppError("discord_unreachable", message, { retryAfter: left });
    },
    blocked(): void {
      closedUntil = performance.now() + exponentialBackoff(blocks + 1, blockPauses);
      blocks += 1;
    },
    opened: () => void (blocks = 0),
  };
}

/**
 * discord.js stores the end of its waits by the machine's clock. If that is set back by an hour, it would send nothing
 * for an hour. So its limits are cleared then; Discord sends them again. Call the result to stop.
 */
export function forgetLimitsOnJump(rest: REST, clockWatch: Pick<ClockWatch, "onJump">): () => void {
  return clockWatch.onJump(({ by }) => {
    if (by > 0) return;
    rest.globalReset = -1;
    rest.globalRemaining = rest.options.globalRequestsPerSecond;
    rest.handlers.clear();
  });
}
