import { openAsBlob } from "node:fs";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Session, type Engine } from "../../../src/database/embedded/session.ts";
import { SessionSocket } from "../../../src/database/embedded/socket.ts";
import { withPreparedStatements } from "../../../src/database/embedded/statements.ts";
import { createPool } from "../../../src/database/pool.ts";
import { openInlineEngine, prepareTemplateFile, templateFile } from "../../support/database-template.ts";

let engine: Engine;
let pool: Pool;
beforeAll(async () => {
  await prepareTemplateFile();
  engine = await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) });
  const session = new Session(withPreparedStatements(withLateAnswers(engine)), 5_000);
  pool = createPool({ stream: () => new SessionSocket(session), max: 20 });
  await pool.query("create table public.notes (text text primary key)");
});
afterAll(async () => {
  await pool.end();
  await engine.close();
});

/** As those of a thread: in order, some turns of this thread's loop after they were asked for. */
function withLateAnswers(inline: Engine): Engine {
  let last: Promise<unknown> = Promise.resolve();
  return {
    execute(request) {
      const executing = inline.execute(request);
      const answering = last.then(async () => {
        await setImmediate();
        return executing;
      });
      last = answering.catch(() => {});
      return answering;
    },
    close: () => inline.close(),
  };
}

const endings = ["commit", "rollback", "mistake", "leave", "none"] as const;
const work = fc.record({ ending: fc.constantFrom(...endings), statements: fc.integer({ min: 0, max: 3 }) });
const insertions = [
  "insert into public.notes values ($1)",
  "insert into public.notes select $1",
  "with given as (select $1::text as text) insert into public.notes select text from given",
];

type Work = { ending: (typeof endings)[number]; statements: number };

/** Does it on a client of its own, and gives the notes that must be there now. */
async function perform({ ending, statements }: Work, name: string): Promise<string[]> {
  const client = await pool.connect();
  const notes = Array.from({ length: statements }, (_, index) => `${name}.${index}`);
  const insert = async () => {
    for (const [index, note] of notes.entries()) {
      await client.query(insertions[index % insertions.length] ?? "", [note]);
    }
  };
  if (ending === "none") {
    await insert();
    client.release();
    return notes;
  }
  await client.query("begin");
  await insert();
  if (ending === "mistake") await client.query("select nonsense").catch(() => {});
  if (ending === "leave") {
    client.release(true);
    return [];
  }
  await client.query(ending === "commit" ? "commit" : "rollback");
  client.release();
  return ending === "commit" ? notes : [];
}

test("whatever clients do at once, what was committed is there and nothing else is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(work, { maxLength: 5 }), { maxLength: 8 }), async (clients) => {
      await pool.query("delete from public.notes");
      const kept = await Promise.all(
        clients.map(async (works, client) => {
          const all: string[] = [];
          for (const [index, one] of works.entries()) all.push(...(await perform(one, `${client}.${index}`)));
          return all;
        }),
      );
      const { rows } = await pool.query<{ text: string }>("select text from public.notes");
      expect(new Set(rows.map(({ text }) => text))).toEqual(new Set(kept.flat()));
    }),
  );
});
