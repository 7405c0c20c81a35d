// @ts-nocheck
import { Duplex } from "node:stream";
import type { Session } from "./session.ts";
import { RequestReader, welcomeMessage } from "./wire.ts";

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
