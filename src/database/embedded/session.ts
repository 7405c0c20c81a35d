import { Duplex } from "node:stream";
import { transactionOrigin } from "../transactions.ts";
import {
  begunMessage,
  commandCompleteMessage,
  errorMessage,
  isPlainStatement,
  queryMessage,
  readReply,
  RequestReader,
  welcomeMessage,
  type Notification,
  type TransactionStatus,
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
  /** Neither begins a transaction nor ends one. */
  isPlain: boolean;
  /** The client's transaction begins with it. */
  begins: boolean;
  origin: () => string;
  since: number;
}

const listenStatement = /^(?:\s|--[^\n]*\n)*(un)?listen\s+"?(\w+|\*)/i;
const beginStatement = /^\s*begin\s*;?\s*$/i;
const begin = queryMessage("begin");
const rollback = queryMessage("rollback");
const nobody: SessionClient = { receive: () => {}, fail: () => {} };
/** Statements that the engine has before it: enough that it never waits for this thread. */
const mostUnderWay = 16;

/**
 * Shares the engine's one session among all clients. A client that opened a transaction keeps the session until it
 * ends it; the others wait in order. Outside of transactions statements are handed to the engine before those ahead of
 * them are answered. The lock is here, one per engine, because two locks would mix transactions.
 */
export class Session {
  readonly #engine: Engine;
  readonly #waitLimit: number;
  readonly #listeners = new Map<string, Set<SessionClient>>();
  readonly #left = new WeakSet<SessionClient>();
  /** Who was told that a transaction began, which begins with their next statement: that saves a round each. */
  readonly #beginning = new WeakSet<SessionClient>();
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
    const listen = listenStatement.exec(sql);
    if (listen?.[1]) return this.#unlisten(client, listen[2]);
    if (listen?.[2]) this.#listen(client, listen[2]);
    if (beginStatement.test(sql) && this.#holder?.client !== client && !this.#beginning.has(client)) {
      this.#beginning.add(client);
      return client.receive(begunMessage);
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
    const mayFollow = turn.isPlain && !this.#isExclusive && this.#underWay < mostUnderWay;
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
