import { openAsBlob } from "node:fs";
import type { Engine } from "../../src/database/embedded/session.ts";
import { queryMessage } from "../../src/database/embedded/wire.ts";
import { templateFile } from "./database-template.ts";
import { openInlineEngine } from "./inline-engine.ts";

/** An embedded engine, what it answers about its own making, and how many test files have had it. */
interface Lent {
  engine: Engine;
  made: string;
  uses: number;
}

/** What test files of this process have given back: opening an engine takes longer than most files. */
const spare: Lent[] = [];
/** What was deleted stays in an engine's memory. */
const mostUses = 20;

/** An engine with a migrated database, which may hold rows of earlier tests; it is given back when it is closed. */
export async function lendEngine(): Promise<Engine> {
  const lent = spare.pop() ?? (await openEngine());
  lent.uses += 1;
  let closed = false;
  return {
    execute: (request) =>
      closed ? Promise.reject(new Error("this database is closed")) : lent.engine.execute(request),
    async close() {
      if (closed) return;
      closed = true;
      if (lent.uses < mostUses && (await describeMaking(lent.engine)) === lent.made) spare.push(lent);
      else await lent.engine.close();
    },
  };
}

async function openEngine(): Promise<Lent> {
  const engine = await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) });
  return { engine, made: await describeMaking(engine), uses: 0 };
}

const making = `
  select (select md5(string_agg(c::text, ',' order by c.oid)) from
            (select oid, relname, relkind, relnatts, relhastriggers from pg_class where relpersistence <> 't') as c),
         (select md5(string_agg(p::text, ',' order by p.oid)) from (select oid, proname, prosrc from pg_proc) as p),
         (select md5(string_agg(a::text, ',' order by a.attrelid, a.attnum)) from
            (select attrelid, attnum, attname, attnotnull, atthasdef from pg_attribute) as a),
         (select md5(string_agg(t::text, ',' order by t.oid)) from (select oid, tgname, tgenabled from pg_trigger) as t),
         (select md5(string_agg(c::text, ',' order by c.oid)) from (select oid, conname from pg_constraint) as c),
         (select count(*) from pg_db_role_setting), (select count(*) from pg_replication_slots),
         (select md5(string_agg(m::text, ',' order by m::text)) from castellan.migrations as m)
`;

/** Ends what a session left behind, and tells of everything that is no row of a table. */
async function describeMaking(engine: Engine): Promise<string> {
  await engine.execute(queryMessage("rollback"));
  await engine.execute(queryMessage("discard all"));
  return Buffer.from(await engine.execute(queryMessage(making))).toString("latin1");
}
