import { withTimeout } from "../../async.ts";
import { assembleDatabase } from "../assemble.ts";
import type { Database } from "../database.ts";
import { createPool } from "../pool.ts";
import { withPreparedStatements } from "./prepared-statements.ts";
import { Session, type Engine } from "./session.ts";
import { SessionSocket } from "./socket.ts";

/** Milliseconds that closing waits for clients to be given back. */
const patience = 2_000;

/** Puts pg's own driver on an embedded engine, which is closed with the database. */
export function connectEngine(engine: Engine, options: { waitLimit?: number } = {}): Database {
  const session = new Session(withPreparedStatements(engine), options.waitLimit ?? 15_000);
  // Connections cost nothing here: each is a Duplex, and the session serves one at a time anyway.
  const pool = createPool({
    stream: () => new SessionSocket(session),
    max: 1000,
    keepAlive: true,
    user: "postgres",
  });
  const close = async () => {
    // A client that nobody gives back must not keep the engine from writing out what it has.
    await withTimeout(pool.end(), patience, () => {});
    await engine.close();
  };
  return assembleDatabase({ engine: "embedded", statements: pool, queue: pool, close });
}
