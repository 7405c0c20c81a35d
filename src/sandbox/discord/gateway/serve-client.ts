import type { IncomingMessage } from "node:http";
import { GatewayCloseCodes, GatewayIntentBits, GatewayOpcodes } from "discord-api-types/v10";
import type { WebSocket } from "ws";
import { z } from "zod";
import { guildCreatePayload, memberPayload, userPayload } from "../payloads/guild.ts";
import type { State } from "../state.ts";
import { botIsIn } from "../world/permissions.ts";
import {
  canReplay,
  type Connection,
  createConnection,
  createSession,
  forgetSessions,
  holdsGuild,
  replayAfter,
  sendDispatch,
  type Session,
  type Sessions,
} from "./session.ts";

const privilegedIntents =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
const knownIntents = 0x7ffffff;

const Payload = z.object({ op: z.int(), d: z.unknown().optional() });

const payloadsPerMinute = 120;

/** Serves one socket, from HELLO until it closes. */
export function serveClient(
  state: State,
  gateway: Sessions,
  heartbeatInterval: number,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const asked = new URL(request.url ?? "/", "http://gateway").searchParams;
  const connection = createConnection(socket, asked.get("compress") === "zlib-stream");
  const version = asked.get("v") ?? "";
  if (!["9", "10"].includes(version))
    return connection.close(GatewayCloseCodes.InvalidAPIVersion, "Invalid API version");
  gateway.connections.add(connection);
  let session: Session | null = null;
  let recent: number[] = [];
  const heartbeat = watchHeartbeat(connection, heartbeatInterval);
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    heartbeat.stop();
    gateway.connections.delete(connection);
    if (session?.connection !== connection) return;
    session.connection = null;
    state.happened.emit({ kind: "presence", online: gateway.online() });
  });
  socket.on("message", (raw) => {
    const now = state.clock.now();
    recent = [...recent.filter((at) => now - at < 60_000), now];
    if (recent.length > payloadsPerMinute)
      return connection.close(GatewayCloseCodes.RateLimited, "Rate limited");
    // By default `ws` delivers a text message as a Buffer.
    const payload = parsePayload(raw as Buffer);
    if (!payload) return connection.close(GatewayCloseCodes.DecodeError, "Decode error");
    const opcode: GatewayOpcodes = payload.op;
    switch (opcode) {
      case GatewayOpcodes.Heartbeat:
        heartbeat.beat();
        return connection.send({ op: GatewayOpcodes.HeartbeatAck });
      case GatewayOpcodes.Identify:
        if (refuseIdentify(gateway, connection)) return;
        if (session) return connection.close(GatewayCloseCodes.AlreadyAuthenticated, "Already authenticated");
        session = identify(state, gateway, connection, payload.d, Number(version));
        return;
      case GatewayOpcodes.Resume:
        if (refuseIdentify(gateway, connection)) return;
        session = resume(state, gateway, connection, payload.d);
        return;
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
        if (!session) connection.close(GatewayCloseCodes.NotAuthenticated, "Not authenticated");
        return;
      case GatewayOpcodes.RequestGuildMembers:
        if (!session) return connection.close(GatewayCloseCodes.NotAuthenticated, "Not authenticated");
        return sendMembers(state, session, payload.d);
      default:
        connection.close(GatewayCloseCodes.UnknownOpcode, "Unknown opcode");
    }
  });
  connection.send({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatInterval } });
}

function refuseIdentify({ identifyRefusal }: Sessions, connection: Connection): boolean {
  if (typeof identifyRefusal === "number") connection.close(identifyRefusal, "");
  return identifyRefusal !== null;
}

function parsePayload(raw: Buffer): z.infer<typeof Payload> | undefined {
  try {
    return Payload.safeParse(JSON.parse(raw.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function watchHeartbeat(connection: Connection, interval: number): { beat: () => void; stop: () => void } {
  const expire = () => connection.close(GatewayCloseCodes.SessionTimedOut, "Session timed out");
  let timer = setTimeout(expire, interval * 1.5).unref();
  return {
    beat() {
      clearTimeout(timer);
      timer = setTimeout(expire, interval * 1.5).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

const MembersRequest = z.object({
  guild_id: z.string(),
  query: z.string().optional(),
  limit: z.int().optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  nonce: z.string().optional(),
});

function sendMembers({ world }: State, session: Session, body: unknown): void {
  const wanted = MembersRequest.safeParse(body).data;
  const guild = world.guilds.get(wanted?.guild_id ?? "");
  if (!wanted || !guild) return;
  const ids = wanted.user_ids === undefined ? null : [wanted.user_ids].flat();
  const members = guild.members.flatMap((member) => {
    const user = world.users.get(member.userId);
    const named = user?.username.startsWith(wanted.query ?? "") ?? false;
    return user && (ids ? ids.includes(user.id) : named) ? [memberPayload(member, user)] : [];
  });
  const found = new Set(members.map((member) => member.user.id));
  sendDispatch(session, "GUILD_MEMBERS_CHUNK", {
    guild_id: guild.id,
    members: wanted.limit ? members.slice(0, wanted.limit) : members,
    chunk_index: 0,
    chunk_count: 1,
    not_found: (ids ?? []).filter((id) => !found.has(id)),
    nonce: wanted.nonce,
  });
}

const Identify = z.object({
  token: z.string(),
  intents: z.int(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});

/** Opens a session: READY, then each guild. Null if the socket was closed instead. */
function identify(
  state: State,
  gateway: Sessions,
  connection: Connection,
  body: unknown,
  version: number,
): Session | null {
  const asked = Identify.safeParse(body).data;
  if (!asked) return refuse(connection, GatewayCloseCodes.DecodeError, "Decode error");
  if (asked.token !== state.token)
    return refuse(connection, GatewayCloseCodes.AuthenticationFailed, "Authentication failed");
  if (asked.intents & ~knownIntents)
    return refuse(connection, GatewayCloseCodes.InvalidIntents, "Invalid intent(s)");
  if (asked.intents & privilegedIntents & ~state.grantedIntents) {
    return refuse(connection, GatewayCloseCodes.DisallowedIntents, "Disallowed intent(s)");
  }
  const [index, count] = asked.shard ?? [0, 1];
  if (index >= count) return refuse(connection, GatewayCloseCodes.InvalidShard, "Invalid shard");
  forgetSessions(gateway.sessions, index);
  const session = createSession(asked.intents, [index, count], connection);
  gateway.sessions.set(session.id, session);
  welcome(state, gateway, session, version);
  state.happened.emit({ kind: "presence", online: true });
  return session;
}

function refuse(connection: Connection, code: number, reason: string): null {
  connection.close(code, reason);
  return null;
}

function welcome(state: State, gateway: Sessions, session: Session, version: number): void {
  const { world } = state;
  const guilds = [...world.guilds.values()].filter(({ id }) => holdsGuild(session, id) && botIsIn(world, id));
  const bot = world.users.get(world.applicationId);
  sendDispatch(session, "READY", {
    v: version,
    user: bot && userPayload(bot),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: state.origin.replace(/^http/, "ws"),
    shard: session.shard,
    application: { id: world.applicationId, flags: 0, flags_new: "0" },
  });
  for (const guild of guilds.filter(({ id }) => !gateway.outages.has(id)))
    sendDispatch(session, "GUILD_CREATE", guildCreatePayload(world, guild, session.intents));
}

const Resume = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

/** Resumes a session from its client's last event, or reports that the session is gone (op 9). */
function resume(state: State, gateway: Sessions, connection: Connection, body: unknown): Session | null {
  const asked = Resume.safeParse(body).data;
  if (!asked) return refuse(connection, GatewayCloseCodes.DecodeError, "Decode error");
  if (asked.token !== state.token)
    return refuse(connection, GatewayCloseCodes.AuthenticationFailed, "Authentication failed");
  const session = gateway.sessions.get(asked.session_id);
  if (session && asked.seq > session.sequence)
    return refuse(connection, GatewayCloseCodes.InvalidSeq, "Invalid seq");
  if (!session || !canReplay(session, asked.seq)) {
    connection.send({ op: GatewayOpcodes.InvalidSession, d: false });
    return null;
  }
  session.connection = connection;
  replayAfter(session, asked.seq);
  sendDispatch(session, "RESUMED", {});
  state.happened.emit({ kind: "presence", online: true });
  return session;
}
