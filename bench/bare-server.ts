import Fastify, { type FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { BenchedCall } from "./api-calls.ts";
import { markedFid } from "./api-calls.ts";
import type { Statement } from "../test/support/database.ts";

/** Plain Fastify as anyone would write it: the same statements and locks as our routes, and nothing else. */
export function createBareServer(
  pool: Pool,
  recorded: readonly (BenchedCall & { statements: Statement[] })[],
): FastifyInstance {
  const server = Fastify();
  for (const { method, path, body, statements } of recorded) {
    const url = path.split("?")[0] ?? path;
    if (method === "GET")
      server.get(url, async () => ({ result: { rows: await readRows(pool, statements) } }));
    else {
      // A JSON body is an object here.
      server.route<{ Body: Record<string, unknown> }>({
        method,
        url,
        handler: async (request) => {
          await replay(pool, statements, request.body[body?.counted ?? ""]);
          return { result: { success: true } };
        },
      });
    }
  }
  return server;
}

async function readRows(pool: Pool, statements: readonly Statement[]): Promise<unknown[]> {
  let rows: unknown[] = [];
  for (const { text, values } of statements) rows = (await pool.query(text, values)).rows as unknown[];
  return rows;
}

async function replay(pool: Pool, statements: readonly Statement[], fid: unknown): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, values } of statements) {
      await client.query(
        text,
        values.map((value) => (value === markedFid ? fid : value)),
      );
    }
  } finally {
    client.release();
  }
}
