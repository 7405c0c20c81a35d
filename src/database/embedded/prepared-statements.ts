import { LRUCache } from "lru-cache";
import type { Engine } from "./session.ts";
import {
  bindMessage,
  closeComplete,
  closeMessage,
  parseComplete,
  parseMessage,
  readStatement,
  type Unnamed,
} from "./wire.ts";

/** Statements that are remembered, each in some tens of kilobytes of the engine's memory, and how long they may be. */
const mostStatements = 256;
const longestStatement = 16_384;
/** What may change what other statements give: they are then parsed anew. */
const changesSchema = /\b(?:create|alter|drop|discard|deallocate)\b/i;

interface Statement {
  name: string;
  state: "new" | "being prepared" | "prepared";
  /** Whether it is to be closed in the engine once it is prepared. */
  isOutdated: boolean;
}

/**
 * Parses each statement once, whichever client sends it: on this engine that takes longer than running most of them.
 * Clients send them without a name; from the second time on, they get one here. After five times they are planned anew
 * only when vacuum.ts has looked at a table that grew.
 */
export function withPreparedStatements(engine: Engine): Engine {
  let outdated: string[] = [];
  let names = 0;
  const outdate = (statement: Statement) => {
    statement.isOutdated = true;
    if (statement.state === "prepared") outdated.push(statement.name);
  };
  const statements = new LRUCache<string, Statement>({
    max: mostStatements,
    dispose: (statement, _text, reason) => void (reason === "evict" && outdate(statement)),
  });

  /** The statement by its text; undefined the first time. */
  function recall(text: string): Statement | undefined {
    const known = statements.get(text);
    if (!known) statements.set(text, { name: `kept_${(names += 1)}`, state: "new", isOutdated: false });
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
      else if (unnamed && text.length <= longestStatement) {
        const statement = recall(text);
        // While one is being prepared, others with its text go as they came.
        if (statement && statement.state !== "being prepared") return run(statement, unnamed);
      }
      return engine.execute(request);
    },
  };

  async function run(statement: Statement, { parsed, bound, rest }: Unnamed): Promise<Uint8Array> {
    const { name } = statement;
    const isPrepared = statement.state === "prepared";
    const closing = outdated.map(closeMessage);
    outdated = [];
    const parse = isPrepared ? [] : [parseMessage(name, parsed)];
    if (!isPrepared) statement.state = "being prepared";
    const answer = await engine.execute(
      Buffer.concat([...closing, ...parse, bindMessage(name, bound), rest]),
    );
    const own = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
    const told = own.subarray(closing.length * closeComplete.length);
    // Of a prepared one no parse is reported, and no driver waits for that.
    if (!isPrepared) settle(statement, told.subarray(0, parseComplete.length).equals(parseComplete));
    return told;
  }

  function settle(statement: Statement, isPrepared: boolean): void {
    statement.state = isPrepared ? "prepared" : "new";
    if (isPrepared && statement.isOutdated) outdated.push(statement.name);
  }
}
