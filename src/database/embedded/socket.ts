import { Duplex } from "node:stream";
import { RequestReader, welcomeMessage } from "./protocol.ts";

/** A client of the session. */
export interface SessionClient {
  receive(bytes: Uint8Array): void;
  fail(error: Error): void;
}

/** Responds to the requests of its clients. */
export interface SessionServer {
  submit(client: SessionClient, bytes: Uint8Array, sql: string): void;
  /** The client is gone: rolls back a transaction that it left open. */
  leave(client: SessionClient): void;
}

/** A client of the embedded session that `pg` uses like a TCP connection to a server. */
export class SessionSocket extends Duplex {
  readonly #session: SessionServer;
  readonly #requests = new RequestReader();

  constructor(session: SessionServer) {
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

  // pg calls these on a TCP socket. They have no effect here.
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
