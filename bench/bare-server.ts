import Fastify, { type FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { Statement } from "./record-statements.ts";

/** What our routes send to the database, recorded; `markedFid` stands where a ban's target goes. */
export interface Recording {
  channel: Statement[];
  bans: Statement[];
  ban: Statement[];
  markedFid: number;
}

/** Fastify as anyone would write it: the same statements and locks, and nothing around them. */
export function createBareServer(pool: Pool, recording: Recording): FastifyInstance {
  const server = Fastify();

  const read = async ([statement]: Statement[]) => {
    if (!statement) throw new Error("nothing was recorded");
    return (await pool.query(statement.text, statement.values)).rows as unknown[];
  };
  server.get("/v1/channel", async () => ({ result: { channel: (await read(recording.channel))[0] } }));
  server.get("/fc/channel-bans", async () => ({ result: { bannedUsers: await read(recording.bans) } }));

  server.post<{ Body: { banFid: number } }>("/fc/channel-bans", async (request) => {
    const client = await pool.connect();
    try {
      for (const { text, values } of recording.ban) {
        await client.query(
          text,
          values.map((value) => (value === recording.markedFid ? request.body.banFid : value)),
        );
      }
    } finally {
      client.release();
    }
    return { result: { success: true } };
  });
  return server;
}
