import { LruMap } from "../../lru-map.ts";
import type { Engine } from "./session.ts";
import {
  bindMessage,
  closeMessage,
  closeComplete,
  parseComplete,
  parseMessage,
  readStatement,
  type Unnamed,
} from "./wire.ts";

/** Statements that are remembered, each in some tens of kilobytes of the engine's memory, and how long they may be. */
const most = 256;
const longest = 16_384;
/** What may change what other statements give: they are then parsed anew. */
const changesSchema = /\b(?:create|alter|drop|discard|deallocate)\b/i;

interface Statement {
  name: string;
  prepared: boolean;
}

/**
 * Parses each statement once, whichever client sends it: on this engine that takes longer than running most of them.
 * Clients send them without a name; from the second time on, they get one here. Statements are still planned each time
 * (`plan_cache_mode` in pglite.ts), for tables that were empty when the program started.
 */
export function withPreparedStatements(engine: Engine): Engine {
  let outdated: string[] = [];
  let names = 0;
  const outdate = ({ name, prepared }: Statement) => {
    if (prepared) outdated.push(name);
  };
  const statements = new LruMap<string, Statement>(most, outdate);

  /** The statement by its text; undefined the first time. */
  function recall(text: string): Statement | undefined {
    const known = statements.get(text);
    if (!known) statements.set(text, { name: `kept_${(names += 1)}`, prepared: false });
    return known;
  }

  function forgetAll(): void {
    for (const statement of statements.values()) outdate(statement);
    statements.clear();
  }

  return {
    close: () => engine.close(),
    async execute(request) {
      const { text = "", unnamed } = readStatement(request) ?? {};
      if (changesSchema.test(text)) forgetAll();
      else if (unnamed && text.length <= longest) {
        const statement = recall(text);
        if (statement) return run(statement, unnamed);
      }
      return engine.execute(request);
    },
  };

  async function run(statement: Statement, { parsed, bound, rest }: Unnamed): Promise<Uint8Array> {
    const { name, prepared } = statement;
    const closing = outdated.map(closeMessage);
    outdated = [];
    const parse = prepared ? [] : [parseMessage(name, parsed)];
    const answer = await engine.execute(
      Buffer.concat([...closing, ...parse, bindMessage(name, bound), rest]),
    );
    const own = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
    const told = own.subarray(closing.length * closeComplete.length);
    // Of a prepared one no parse is reported, and no driver waits for that.
    if (!prepared) statement.prepared = told.subarray(0, parseComplete.length).equals(parseComplete);
    return told;
  }
}
