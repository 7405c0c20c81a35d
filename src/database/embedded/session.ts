import { Duplex } from "node:stream";
import { LRUCache } from "lru-cache";
import { transactionOrigin } from "../transactions.ts";
import {
  bindMessage,
  closeComplete,
  closeMessage,
  commandCompleteMessage,
  errorMessage,
  parseComplete,
  parseMessage,
  queryMessage,
  readReply,
  readStatement,
  RequestReader,
  welcomeMessage,
  type Notification,
  type TransactionStatus,
  type Unnamed,
} from "./wire.ts";

/** Where the one Postgres session lives: this thread, or another. */
export interface Engine {
  /** One round of the wire protocol. Rejects only when the engine itself is gone. */
  execute(request: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface SessionClient {
  receive(bytes: Uint8Array): void;
  fail(error: Error): void;
}

interface Turn {
  client: SessionClient;
  bytes: Uint8Array;
  origin: () => string;
  since: number;
}

const listenStatement = /^(?:\s|--[^\n]*\n)*(un)?listen\s+"?(\w+|\*)/i;
const rollback = queryMessage("rollback");
const nobody: SessionClient = { receive: () => {}, fail: () => {} };

/**
 * Shares the engine's one session among all clients. A client that opened a transaction keeps the session until it
 * ends it; the others wait in order. The lock is here, one per engine, because two locks would mix transactions.
 */
export class Session {
  readonly #engine: Engine;
  readonly #waitLimit: number;
  readonly #listeners = new Map<string, Set<SessionClient>>();
  readonly #left = new WeakSet<SessionClient>();
  #turns: Turn[] = [];
  #working = false;
  #holder: { client: SessionClient; origin: () => string } | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** `waitLimit`: milliseconds that a statement waits for another client's transaction before it fails. */
  constructor(engine: Engine, waitLimit: number) {
    this.#engine = engine;
    this.#waitLimit = waitLimit;
  }

  submit(client: SessionClient, bytes: Uint8Array, sql: string): void {
    const listen = listenStatement.exec(sql);
    if (listen?.[1]) return this.#unlisten(client, listen[2]);
    if (listen?.[2]) this.#listen(client, listen[2]);
    const origin =
      transactionOrigin() ?? (() => `a statement outside database.transaction: ${sql.slice(0, 80)}`);
    this.#turns.push({ client, bytes, origin, since: performance.now() });
    this.#watchWaiters();
    void this.#work();
  }

  /** The client is gone: what it left open is rolled back. */
  leave(client: SessionClient): void {
    if (this.#left.has(client)) return;
    this.#left.add(client);
    for (const listeners of this.#listeners.values()) listeners.delete(client);
    this.#turns = this.#turns.filter((turn) => turn.client !== client);
    if (this.#holder?.client === client) this.#abandon(client);
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let turn = this.#nextTurn(); turn; turn = this.#nextTurn()) await this.#run(turn);
    this.#working = false;
  }

  #nextTurn(): Turn | undefined {
    const holder = this.#holder?.client;
    const index = holder ? this.#turns.findIndex((turn) => turn.client === holder) : 0;
    return index < 0 ? undefined : this.#turns.splice(index, 1)[0];
  }

  async #run({ client, bytes, origin }: Turn): Promise<void> {
    try {
      const reply = readReply(await this.#engine.execute(bytes));
      this.#settle(client, origin, reply.status);
      for (const notification of reply.notifications) this.#notify(notification);
      client.receive(reply.bytes);
    } catch (error) {
      client.fail(error instanceof Error ? error : new Error(String(error)));
    }
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
    this.#turns.push({ client: nobody, bytes: rollback, origin: () => "", since: performance.now() });
    void this.#work();
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
    client.receive(commandCompleteMessage("UNLISTEN"));
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
    for (const turn of failed) turn.client.receive(errorMessage("55P03", text));
  }
}

/** What `pg` takes for a TCP connection to a server, and is one client of the embedded session. */
export class SessionSocket extends Duplex {
  readonly #session: Session;
  readonly #requests = new RequestReader();

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  connect(): this {
    process.nextTick(() => this.emit("connect"));
    return this;
  }

  receive(bytes: Uint8Array): void {
    if (!this.destroyed) this.push(bytes);
  }

  fail(error: Error): void {
    this.destroy(error);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (const request of this.#requests.read(chunk)) {
      if (request.kind === "start") this.receive(welcomeMessage);
      else if (request.kind === "end") this.destroy();
      else this.#session.submit(this, request.bytes, request.sql);
    }
    done();
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session.leave(this);
    done(error);
  }

  // What pg asks of a TCP socket and has no meaning here.
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Statements that are remembered, each in some tens of kilobytes of the engine's memory, and how long they may be. */
const mostStatements = 256;
const longestStatement = 16_384;
/** What may change what other statements give: they are then parsed anew. */
const changesSchema = /\b(?:create|alter|drop|discard|deallocate)\b/i;

interface Statement {
  name: string;
  prepared: boolean;
}

/**
 * Parses each statement once, whichever client sends it: on this engine that takes longer than running most of them.
 * Clients send them without a name; from the second time on, they get one here. After five times they are planned anew
 * only when vacuum.ts has looked at a table that grew.
 */
export function withPreparedStatements(engine: Engine): Engine {
  let outdated: string[] = [];
  let names = 0;
  const outdate = ({ name, prepared }: Statement) => {
    if (prepared) outdated.push(name);
  };
  const statements = new LRUCache<string, Statement>({
    max: mostStatements,
    dispose: (statement, _text, reason) => void (reason === "evict" && outdate(statement)),
  });

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
      else if (unnamed && text.length <= longestStatement) {
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
