import { transactionOrigin } from "../transactions.ts";
import {
  commandCompleteMessage,
  errorMessage,
  queryMessage,
  readReply,
  type Notification,
  type TransactionStatus,
} from "./protocol.ts";
import type { SessionClient, SessionServer } from "./socket.ts";

/** The single Postgres session, in this thread or another. */
export interface Engine {
  /** One round of the wire protocol. Rejects only if the engine itself is gone. */
  execute(request: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Request {
  client: SessionClient;
  bytes: Uint8Array;
  /** The sender, for the error message to a client that waits too long. */
  origin: () => string;
  since: number;
}

const listenStatement = /^(?:\s|--[^\n]*\n)*(un)?listen\s+"?(\w+|\*)/i;
const rollback = queryMessage("rollback");
/** Marks a client that left its transaction open. */
const nobody: SessionClient = { receive: () => {}, fail: () => {} };

/**
 * Shares the engine's one session among all clients. Requests run one at a time. A client with an open transaction has
 * the session to itself until the transaction ends. There must be only one instance per engine, because two would mix
 * transactions.
 */
export class Session implements SessionServer {
  readonly #engine: Engine;
  readonly #waitLimitMs: number;
  readonly #listeners = new Map<string, Set<SessionClient>>();
  readonly #left = new WeakSet<SessionClient>();
  #waiting: Request[] = [];
  #isBusy = false;
  /** The client with the open transaction. */
  #holder: Pick<Request, "client" | "origin"> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** A request that waits longer than the limit for another client's transaction fails. */
  constructor(engine: Engine, waitLimitMs: number) {
    this.#engine = engine;
    this.#waitLimitMs = waitLimitMs;
  }

  submit(client: SessionClient, bytes: Uint8Array, sql: string): void {
    const [, unlisten, channel] = listenStatement.exec(sql) ?? [];
    if (unlisten !== undefined) return this.#unlisten(client, channel);
    if (channel !== undefined) this.#listen(client, channel);
    const origin =
      transactionOrigin() ?? (() => `a statement outside database.transaction: ${sql.slice(0, 80)}`);
    this.#waiting.push({ client, bytes, origin, since: performance.now() });
    this.#watchWaiting();
    this.#serveNext();
  }

  leave(client: SessionClient): void {
    if (this.#left.has(client)) return;
    this.#left.add(client);
    for (const listeners of this.#listeners.values()) listeners.delete(client);
    this.#waiting = this.#waiting.filter((request) => request.client !== client);
    if (this.#holder?.client === client) this.#abandonTransaction();
  }

  #serveNext(): void {
    if (this.#isBusy) return;
    const holder = this.#holder?.client;
    const index = holder ? this.#waiting.findIndex(({ client }) => client === holder) : 0;
    const [request] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!request) return;
    this.#isBusy = true;
    void this.#serve(request);
  }

  async #serve(request: Request): Promise<void> {
    const { client, bytes } = request;
    try {
      const reply = readReply(await this.#engine.execute(bytes));
      this.#follow(request, reply.status);
      client.receive(reply.bytes);
      for (const notification of reply.notifications) this.#notify(notification);
    } catch (error) {
      // Without its engine a transaction is over, and nothing needs to wait for its end.
      if (client === nobody) this.#holder = undefined;
      client.fail(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isBusy = false;
    this.#serveNext();
  }

  /** Records whether the request left a transaction open. */
  #follow({ client, origin }: Request, status: TransactionStatus): void {
    if (status === "I") {
      this.#holder = undefined;
    } else if (!this.#holder) {
      this.#holder = { client, origin };
      this.#watchWaiting();
      if (this.#left.has(client)) this.#abandonTransaction();
    }
  }

  #abandonTransaction(): void {
    const origin = () => "a client that left its transaction open";
    this.#holder = { client: nobody, origin };
    this.#waiting.push({ client: nobody, bytes: rollback, origin, since: performance.now() });
    this.#serveNext();
  }

  #listen(client: SessionClient, channel: string): void {
    const listeners = this.#listeners.get(channel);
    if (listeners) listeners.add(client);
    else this.#listeners.set(channel, new Set([client]));
  }

  /** Only delivery stops; the session continues to listen, because others may still need the channel. */
  #unlisten(client: SessionClient, channel = "*"): void {
    for (const [name, listeners] of this.#listeners) {
      if (channel === "*" || channel === name) listeners.delete(client);
    }
    // Delayed, because the client may be reading the response to its last statement.
    queueMicrotask(() => client.receive(commandCompleteMessage("UNLISTEN")));
  }

  #notify({ channel, bytes }: Notification): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener.receive(bytes);
  }

  /** While a transaction blocks others, checks for requests that have waited too long. */
  #watchWaiting(): void {
    if (this.#timer || !this.#holder || this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#failOverdue();
      this.#watchWaiting();
    }, this.#waitLimitMs / 4);
  }

  #failOverdue(): void {
    const holder = this.#holder;
    if (!holder) return;
    const isOverdue = ({ client, since }: Request) =>
      client !== holder.client && performance.now() - since > this.#waitLimitMs;
    const overdue = this.#waiting.filter(isOverdue);
    this.#waiting = this.#waiting.filter((request) => !isOverdue(request));
    const text = `the database was busy for ${this.#waitLimitMs} ms with a transaction started by ${holder.origin()}`;
    for (const { client } of overdue) client.receive(errorMessage("55P03", text));
  }
}
