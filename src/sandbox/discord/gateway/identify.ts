import { z } from "zod";
import type { Context } from "../context.ts";
import { closeCode, knownIntents, opcode, privilegedIntents } from "../numbers.ts";
import { guildCreatePayload } from "../payloads/guild.ts";
import { userPayload } from "../payloads/user.ts";
import { botIsIn } from "../world/permissions.ts";
import type { Connection } from "./connection.ts";
import {
  canReplay,
  createSession,
  forgetSessions,
  holdsGuild,
  replayAfter,
  sendDispatch,
  type Session,
} from "./session.ts";

const Identify = z.object({
  token: z.string(),
  intents: z.int(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});

/** Opens a session: READY, then each guild. Null where the socket was closed instead. */
export function identify(
  context: Context,
  connection: Connection,
  body: unknown,
  version: number,
): Session | null {
  const asked = Identify.safeParse(body).data;
  if (!asked) return refuse(connection, closeCode.decodeError, "Decode error");
  if (asked.token !== context.token())
    return refuse(connection, closeCode.authenticationFailed, "Authentication failed");
  if (asked.intents & ~knownIntents) return refuse(connection, closeCode.invalidIntents, "Invalid intent(s)");
  if (asked.intents & privilegedIntents & ~context.grantedIntents) {
    return refuse(connection, closeCode.disallowedIntents, "Disallowed intent(s)");
  }
  const [index, count] = asked.shard ?? [0, 1];
  if (index >= count) return refuse(connection, closeCode.invalidShard, "Invalid shard");
  forgetSessions(context.gateway.sessions, index);
  const session = createSession(asked.intents, [index, count], connection);
  context.gateway.sessions.set(session.id, session);
  welcome(context, session, version);
  context.happened.tell({ kind: "presence", online: true });
  return session;
}

function refuse(connection: Connection, code: number, reason: string): null {
  connection.close(code, reason);
  return null;
}

function welcome(context: Context, session: Session, version: number): void {
  const { world } = context;
  const guilds = [...world.guilds.values()].filter(({ id }) => holdsGuild(session, id) && botIsIn(world, id));
  const bot = world.users.get(world.applicationId);
  sendDispatch(session, "READY", {
    v: version,
    user: bot && userPayload(bot),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: context.origin().replace(/^http/, "ws"),
    shard: session.shard,
    application: { id: world.applicationId, flags: 0, flags_new: "0" },
  });
  for (const guild of guilds.filter(({ id }) => !context.gateway.outages.has(id)))
    sendDispatch(session, "GUILD_CREATE", guildCreatePayload(world, guild, session.intents));
}

const Resume = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

/** Takes a session up again where its client left it, or says that it is gone (op 9). */
export function resume(context: Context, connection: Connection, body: unknown): Session | null {
  const asked = Resume.safeParse(body).data;
  if (!asked) return refuse(connection, closeCode.decodeError, "Decode error");
  if (asked.token !== context.token())
    return refuse(connection, closeCode.authenticationFailed, "Authentication failed");
  const session = context.gateway.sessions.get(asked.session_id);
  if (session && asked.seq > session.sequence)
    return refuse(connection, closeCode.invalidSequence, "Invalid seq");
  if (!session || !canReplay(session, asked.seq)) {
    connection.send({ op: opcode.invalidSession, d: false });
    return null;
  }
  session.connection = connection;
  replayAfter(session, asked.seq);
  sendDispatch(session, "RESUMED", {});
  context.happened.tell({ kind: "presence", online: true });
  return session;
}
