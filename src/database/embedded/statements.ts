import { LRUCache } from "lru-cache";
import {
  bindMessage,
  closeComplete,
  closeMessage,
  parseComplete,
  parseMessage,
  readStatement,
  type UnnamedStatement,
} from "./protocol.ts";
import type { Engine } from "./session.ts";

/** Each prepared statement takes some tens of kilobytes of the engine's memory. */
const maxStatements = 256;
const maxStatementLength = 16_384;
/** After these, statements may have other results, so all are parsed again. */
const changesSchema = /\b(?:create|alter|drop|discard|deallocate)\b/i;

interface Statement {
  name: string;
  isPrepared: boolean;
}

/**
 * Parses each statement once for all clients, because on this engine parsing takes longer than running most statements.
 * Clients send unnamed statements; from its second use on, a statement gets a name here. After five uses it is planned
 * again only when vacuum.ts has analyzed a table that grew. Handles one request at a time.
 */
export function withPreparedStatements(engine: Engine): Engine {
  let count = 0;
  /** Evicted prepared statements, to be closed with the next prepared statement. */
  let unused: string[] = [];
  const statements = new LRUCache<string, Statement>({
    max: maxStatements,
    dispose: ({ name, isPrepared }) => {
      if (isPrepared) unused.push(name);
    },
  });

  async function execute(request: Uint8Array): Promise<Uint8Array> {
    const { text = "", unnamed } = readStatement(request) ?? {};
    if (changesSchema.test(text)) statements.clear();
    else if (unnamed && text.length <= maxStatementLength) {
      const statement = statements.get(text);
      if (statement) return executeNamed(statement, unnamed);
      statements.set(text, { name: `castellan_${(count += 1)}`, isPrepared: false });
    }
    return engine.execute(request);
  }

  async function executeNamed(
    statement: Statement,
    { parsed, bound, rest }: UnnamedStatement,
  ): Promise<Uint8Array> {
    const { name, isPrepared } = statement;
    const closing = unused.map(closeMessage);
    unused = [];
    const parse = isPrepared ? [] : [parseMessage(name, parsed)];
    const request = Buffer.concat([...closing, ...parse, bindMessage(name, bound), rest]);
    const answer = (await engine.execute(request)).subarray(closing.length * closeComplete.length);
    // The response to a prepared statement lacks ParseComplete, which no driver waits for.
    if (!isPrepared) statement.isPrepared = parseComplete.equals(answer.subarray(0, parseComplete.length));
    return answer;
  }

  return { execute, close: () => engine.close() };
}
