import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Context } from "../context.ts";
import { closeCode, opcode } from "../numbers.ts";
import { memberPayload } from "../payloads/user.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { Gateway, GatewaySettings } from "./gateway.ts";
import { identify, resume } from "./identify.ts";
import { sendDispatch, type Session } from "./session.ts";

const Payload = z.object({ op: z.int(), d: z.unknown().optional() });

const payloadsPerMinute = 120;

/** What one socket may do, from HELLO to its end. */
export function attendClient(
  context: Context,
  settings: GatewaySettings,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const asked = new URL(request.url ?? "/", "http://gateway").searchParams;
  const connection = createConnection(socket, asked.get("compress") === "zlib-stream");
  const version = asked.get("v") ?? "";
  if (!["9", "10"].includes(version))
    return connection.close(closeCode.invalidVersion, "Invalid API version");
  const { gateway } = context;
  gateway.connections.add(connection);
  let session: Session | null = null;
  let recent: number[] = [];
  const heartbeat = watchHeartbeat(connection, settings.heartbeat);
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    heartbeat.stop();
    gateway.connections.delete(connection);
    if (session?.connection !== connection) return;
    session.connection = null;
    context.happened.tell({ kind: "presence", online: gateway.online() });
  });
  socket.on("message", (raw) => {
    const now = context.clock.now();
    recent = [...recent.filter((at) => now - at < 60_000), now];
    if (recent.length > payloadsPerMinute) return connection.close(closeCode.rateLimited, "Rate limited");
    // `ws` gives a text message as a Buffer unless told otherwise.
    const payload = parsePayload(raw as Buffer);
    if (!payload) return connection.close(closeCode.decodeError, "Decode error");
    switch (payload.op) {
      case opcode.heartbeat:
        heartbeat.beat();
        return connection.send({ op: opcode.heartbeatAck });
      case opcode.identify:
        if (refuseIdentify(gateway, connection)) return;
        if (session) return connection.close(closeCode.alreadyAuthenticated, "Already authenticated");
        session = identify(context, connection, payload.d, Number(version));
        return;
      case opcode.resume:
        if (refuseIdentify(gateway, connection)) return;
        session = resume(context, connection, payload.d);
        return;
      case opcode.presenceUpdate:
      case opcode.voiceStateUpdate:
        if (!session) connection.close(closeCode.notAuthenticated, "Not authenticated");
        return;
      case opcode.requestGuildMembers:
        if (!session) return connection.close(closeCode.notAuthenticated, "Not authenticated");
        return sendMembers(context, session, payload.d);
      default:
        connection.close(closeCode.unknownOpcode, "Unknown opcode");
    }
  });
  connection.send({ op: opcode.hello, d: { heartbeat_interval: settings.heartbeat } });
}

function refuseIdentify({ identifyRefusal }: Gateway, connection: Connection): boolean {
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
  const expire = () => connection.close(closeCode.timedOut, "Session timed out");
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

function sendMembers({ world }: Context, session: Session, body: unknown): void {
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
