import {
  Events,
  GatewayDispatchEvents,
  PermissionFlagsBits,
  ShardClientUtil,
  type Client,
  type GatewayDispatchPayload,
} from "discord.js";
import type { Log } from "../log.ts";
import { findMissing, kindOfRoom, ownPermissions } from "./room-permissions.ts";

/** Updates the rows when servers, roles and rooms come and go. Each call can be repeated. */
export interface ServerChanges {
  /** Of all known servers that match `concerns`, the bot is only in these. */
  compare(present: readonly string[], concerns: (guildId: string) => boolean): Promise<void>;
  leave(guildId: string): Promise<void>;
  enter(guildId: string): Promise<void>;
  /** The server has exactly these roles. */
  removeDeletedRoles(guildId: string, hasRole: (roleId: string) => boolean): Promise<void>;
  /** The room was deleted. */
  removeRoom(roomId: string): Promise<void>;
  /** Rooms of these servers that have a feed. */
  findRooms(guildIds: readonly string[]): Promise<string[]>;
  /** null for a room that accepts messages, otherwise the reason why not. */
  setRooms(states: readonly RoomState[]): Promise<void>;
}

interface RoomState {
  roomId: string;
  closed: string | null;
}

/** Changes come in bursts, so they are handled together, this many milliseconds after the first. */
const gatherFor = 500;
const tryAgainAfter = 5000;

/** Received changes that are not in the database yet. */
interface Heard {
  /** Servers of a READY, by shard. */
  ready: Map<number, readonly string[]>;
  /** Whether the bot is in a server, by the latest event. */
  presence: Map<string, boolean>;
  /** Servers in which permissions or roles may have changed. */
  changed: Set<string>;
  touched: Set<string>;
  removed: Set<string>;
}

const nothing = (): Heard => ({
  ready: new Map(),
  presence: new Map(),
  changed: new Set(),
  touched: new Set(),
  removed: new Set(),
});

/**
 * Follows the bot's servers and permissions, and updates the rows: with events, and by comparison at each READY,
 * because events in between are lost. A server's outage does not count as a removal. Failed writes are retried.
 */
export function watchServers(client: Client, changes: ServerChanges, log: Log): { close(): Promise<void> } {
  let heard = nothing();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let closed = false;

  function schedule(after: number): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      running = running.then(work);
    }, after);
  }

  async function work(): Promise<void> {
    const batch = heard;
    heard = nothing();
    try {
      await apply(client, changes, batch);
    } catch (error) {
      log.warn({ err: error }, "changes of Discord's servers could not be stored yet");
      heard = merge(batch, heard);
      schedule(tryAgainAfter);
    }
  }

  const listen = (packet: GatewayDispatchPayload, shardId: number) => {
    if (hear(client, packet, shardId, heard)) schedule(gatherFor);
  };
  client.on(Events.Raw, listen);
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      client.off(Events.Raw, listen);
      await running;
    },
  };
}

/** Records a packet's changes. Returns whether there is anything to handle. The client's own cache is updated later. */
function hear(client: Client, packet: GatewayDispatchPayload, shardId: number, heard: Heard): boolean {
  switch (packet.t) {
    case GatewayDispatchEvents.Ready:
      heard.ready.set(
        shardId,
        packet.d.guilds.map(({ id }) => id),
      );
      return true;
    case GatewayDispatchEvents.GuildCreate:
      heard.presence.set(packet.d.id, true);
      heard.changed.add(packet.d.id);
      return true;
    case GatewayDispatchEvents.GuildDelete:
      if (packet.d.unavailable) return false;
      heard.presence.set(packet.d.id, false);
      return true;
    case GatewayDispatchEvents.ChannelDelete:
    case GatewayDispatchEvents.ThreadDelete:
      // Discord sends no events for threads that are deleted with their room.
      for (const room of client.channels.cache.values()) {
        if (room.isThread() && room.parentId === packet.d.id) heard.removed.add(room.id);
      }
      heard.removed.add(packet.d.id);
      return true;
    case GatewayDispatchEvents.ThreadCreate:
    case GatewayDispatchEvents.ThreadUpdate:
      heard.touched.add(packet.d.id);
      return true;
    case GatewayDispatchEvents.ThreadListSync:
      for (const { id } of packet.d.threads) heard.touched.add(id);
      return true;
    case GatewayDispatchEvents.ChannelUpdate:
      if (!("guild_id" in packet.d) || packet.d.guild_id === undefined) return false;
      heard.changed.add(packet.d.guild_id);
      return true;
    case GatewayDispatchEvents.GuildRoleUpdate:
    case GatewayDispatchEvents.GuildRoleDelete:
      heard.changed.add(packet.d.guild_id);
      return true;
    case GatewayDispatchEvents.GuildMemberUpdate:
      if (packet.d.user.id !== client.user?.id) return false;
      heard.changed.add(packet.d.guild_id);
      return true;
    default:
      return false;
  }
}

/** If both have a state, the later one counts. */
function merge(earlier: Heard, later: Heard): Heard {
  return {
    ready: new Map([...earlier.ready, ...later.ready]),
    presence: new Map([...earlier.presence, ...later.presence]),
    changed: new Set([...earlier.changed, ...later.changed]),
    touched: new Set([...earlier.touched, ...later.touched]),
    removed: new Set([...earlier.removed, ...later.removed]),
  };
}

async function apply(client: Client, changes: ServerChanges, heard: Heard): Promise<void> {
  for (const [shardId, present] of heard.ready) {
    const shards = client.options.shardCount ?? 1;
    const concerns = (guildId: string) =>
      !heard.presence.has(guildId) && ShardClientUtil.shardIdForGuildId(guildId, shards) === shardId;
    await changes.compare(present, concerns);
  }
  for (const [guildId, present] of heard.presence) {
    await (present ? changes.enter(guildId) : changes.leave(guildId));
  }
  for (const roomId of heard.removed) await changes.removeRoom(roomId);
  const servers = [...heard.changed].flatMap((id) => client.guilds.cache.get(id) ?? []);
  for (const { id, roles } of servers) {
    if (roles.cache.size > 0) await changes.removeDeletedRoles(id, (roleId) => roles.cache.has(roleId));
  }
  const rooms = await changes.findRooms(servers.map(({ id }) => id));
  const known = rooms.flatMap((roomId) => readState(client, roomId) ?? []);
  const touched = [...heard.touched].map((roomId) => readState(client, roomId) ?? { roomId, closed: null });
  if (known.length + touched.length > 0) await changes.setRooms([...known, ...touched]);
}

/** undefined if the cache does not know. Discord's answer to the next message then shows it. */
function readState(client: Client, roomId: string): RoomState | undefined {
  const room = client.channels.cache.get(roomId);
  if (!room || room.isDMBased()) return undefined;
  const permissions = ownPermissions(room.guild, roomId);
  if (!permissions) return undefined;
  const missing = findMissing(permissions, kindOfRoom(room), "postingEmbeds");
  if (missing.length > 0) return { roomId, closed: `Castellan lacks ${missing.join(", ")} there.` };
  // The next message reopens an archived thread, but not a locked one.
  const locked = room.isThread() && room.locked && !permissions.has(PermissionFlagsBits.ManageThreads);
  return { roomId, closed: locked ? "That thread is locked." : null };
}
