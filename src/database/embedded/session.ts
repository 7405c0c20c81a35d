import { LRUCache } from "lru-cache";
import { transactionOrigin } from "../transactions.ts";
import {
  begunMessage,
  bindMessage,
  closeComplete,
  closeMessage,
  commandCompleteMessage,
  errorMessage,
  isPlainStatement,
  parseComplete,
  parseMessage,
  queryMessage,
  readReply,
  readStatement,
  type Notification,
  type SessionClient,
  type SessionServer,
  type TransactionStatus,
  type Unnamed,
} from "./wire.ts";

/** Where the one Postgres session lives: this thread, or another. */
export interface Engine {
  /** One round of the wire protocol. Rejects only when the engine itself is gone. */
  execute(request: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Turn {
  client: SessionClient;
  bytes: Uint8Array;
  /** Neither begins a transaction nor ends one. */
  isPlain: boolean;
  /** The client's transaction begins with it. */
  begins: boolean;
  origin: () => string;
  since: number;
}

const listenStatement = /^(?:\s|--[^\n]*\n)*(un)?listen\s+"?(\w+|\*)/i;
const beginStatement = /^\s*begin\s*;?\s*$/i;
const endStatement = /^\s*(?:commit|rollback)\s*;?\s*$/i;
const begin = queryMessage("begin");
const rollback = queryMessage("rollback");
const nobody: SessionClient = { receive: () => {}, fail: () => {} };
/** Statements that the engine has before it: enough that it never waits for this thread. */
const maxInFlight = 16;

/**
 * Shares the engine's one session among all clients. A client that opened a transaction keeps the session until it
 * ends it; the others wait in order. Outside of transactions statements are handed to the engine before those ahead of
 * them are answered. The lock is here, one per engine, because two locks would mix transactions.
 */
export class Session implements SessionServer {
  readonly #engine: Engine;
  readonly #waitLimit: number;
  readonly #listeners = new Map<string, Set<SessionClient>>();
  readonly #left = new WeakSet<SessionClient>();
  /** Who was told that a transaction began, which begins with their next statement: that saves a round each. */
  readonly #beginning = new WeakSet<SessionClient>();
  /** Who was told so, and that its first statement failed, before any of it came to the engine. */
  readonly #refused = new WeakSet<SessionClient>();
  #turns: Turn[] = [];
  #underWay = 0;
  /** Whether what is under way may leave a transaction open, so that nothing may follow it yet. */
  #isExclusive = false;
  #holder: { client: SessionClient; origin: () => string } | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** `waitLimit`: milliseconds that a statement waits for another client's transaction before it fails. */
  constructor(engine: Engine, waitLimit: number) {
    this.#engine = engine;
    this.#waitLimit = waitLimit;
  }

  submit(client: SessionClient, bytes: Uint8Array, sql: string): void {
    if (this.#refused.has(client)) return this.#refuse(client, sql);
    const listen = listenStatement.exec(sql);
    if (listen?.[1]) return this.#unlisten(client, listen[2]);
    if (listen?.[2]) this.#listen(client, listen[2]);
    if (beginStatement.test(sql) && this.#holder?.client !== client && !this.#beginning.has(client)) {
      this.#beginning.add(client);
      return answer(client, begunMessage);
    }
    const begins = this.#beginning.delete(client);
    const isPlain = !begins && isPlainStatement(bytes);
    const origin =
      transactionOrigin() ?? (() => `a statement outside database.transaction: ${sql.slice(0, 80)}`);
    this.#turns.push({ client, bytes, isPlain, begins, origin, since: performance.now() });
    this.#watchWaiters();
    this.#work();
  }

  /** The client is gone: what it left open is rolled back. */
  leave(client: SessionClient): void {
    if (this.#left.has(client)) return;
    this.#left.add(client);
    for (const listeners of this.#listeners.values()) listeners.delete(client);
    this.#turns = this.#turns.filter((turn) => turn.client !== client);
    if (this.#holder?.client === client) this.#abandon(client);
  }

  #work(): void {
    for (let turn = this.#nextTurn(); turn; turn = this.#nextTurn()) {
      this.#underWay += 1;
      this.#isExclusive = this.#holder !== undefined || !turn.isPlain;
      void this.#run(turn);
    }
  }

  #nextTurn(): Turn | undefined {
    const holder = this.#holder?.client;
    const index = holder ? this.#turns.findIndex((turn) => turn.client === holder) : 0;
    const turn = this.#turns[index];
    if (!turn) return undefined;
    const mayFollow = turn.isPlain && !this.#isExclusive && this.#underWay < maxInFlight;
    if (this.#underWay > 0 && !mayFollow) return undefined;
    this.#turns.splice(index, 1);
    return turn;
  }

  async #run({ client, bytes, begins, origin }: Turn): Promise<void> {
    try {
      const beginning = begins && this.#engine.execute(begin);
      const [begun, answer] = await Promise.all([beginning, this.#engine.execute(bytes)]);
      const reply = readReply(answer);
      this.#settle(client, origin, reply.status);
      for (const notification of reply.notifications) this.#notify(notification);
      // Only an engine without memory refuses that; the statement stands by itself then, and its client is cut off.
      if (begun && readReply(begun).status !== "T") throw new Error("a transaction could not be begun");
      client.receive(reply.bytes);
    } catch (error) {
      client.fail(error instanceof Error ? error : new Error(String(error)));
    }
    this.#underWay -= 1;
    this.#work();
  }

  #settle(client: SessionClient, origin: () => string, status: TransactionStatus): void {
    if (status === "I") {
      this.#holder = undefined;
    } else if (this.#holder === undefined) {
      this.#holder = { client, origin };
      this.#watchWaiters();
      if (this.#left.has(client)) this.#abandon(client);
    }
  }

  #abandon(client: SessionClient): void {
    this.#holder = { client: nobody, origin: () => "a client that left its transaction open" };
    this.#turns = this.#turns.filter((turn) => turn.client !== client);
    const since = performance.now();
    const turn = { bytes: rollback, isPlain: false, begins: false, origin: () => "", since };
    this.#turns.push({ client: nobody, ...turn });
    this.#work();
  }

  #listen(client: SessionClient, channel: string): void {
    const listeners = this.#listeners.get(channel);
    if (listeners) listeners.add(client);
    else this.#listeners.set(channel, new Set([client]));
  }

  /** The session keeps listening, as others may still want the channel: only the delivery stops. */
  #unlisten(client: SessionClient, channel = "*"): void {
    for (const [name, listeners] of this.#listeners) {
      if (channel === "*" || channel === name) listeners.delete(client);
    }
    answer(client, commandCompleteMessage("UNLISTEN"));
  }

  #notify({ channel, bytes }: Notification): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener.receive(bytes);
  }

  #watchWaiters(): void {
    if (this.#watch || !this.#holder || this.#turns.length === 0) return;
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      this.#failOverdue();
      this.#watchWaiters();
    }, this.#waitLimit / 4);
  }

  #failOverdue(): void {
    const holder = this.#holder;
    if (!holder) return;
    const overdue = (turn: Turn) =>
      turn.client !== holder.client && performance.now() - turn.since > this.#waitLimit;
    const failed = this.#turns.filter(overdue);
    this.#turns = this.#turns.filter((turn) => !overdue(turn));
    const text = `the database was busy for ${this.#waitLimit} ms with a transaction begun by ${holder.origin()}`;
    for (const { client, begins } of failed) {
      if (begins) this.#refused.add(client);
      client.receive(errorMessage("55P03", text, begins ? "E" : "I"));
    }
  }

  /** As a transaction that failed: nothing of it until its end. */
  #refuse(client: SessionClient, sql: string): void {
    if (!endStatement.test(sql)) return answer(client, errorMessage("25P02", inFailedTransaction, "E"));
    this.#refused.delete(client);
    answer(client, commandCompleteMessage("ROLLBACK"));
  }
}

const inFailedTransaction = "current transaction is aborted, commands ignored until end of transaction block";

/** Not at once: the client may be reading the answer to its last statement. */
function answer(client: SessionClient, bytes: Uint8Array): void {
  queueMicrotask(() => client.receive(bytes));
}

/** Statements that are remembered, each in some tens of kilobytes of the engine's memory, and how long they may be. */
const maxStatements = 256;
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
    max: maxStatements,
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
