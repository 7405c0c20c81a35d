/* The messages of the PostgreSQL protocol (version 3) that the embedded database reads or writes itself. */

export type Request =
  | { kind: "start" }
  | { kind: "end" }
  /** One simple query, or everything from parse to sync. */
  | { kind: "statement"; bytes: Uint8Array; sql: string };

/** The session's state after a statement: outside a transaction, in one, or in a failed one. */
export type TransactionStatus = "I" | "T" | "E";

const codes = {
  bind: 0x42,
  notification: 0x41,
  parse: 0x50,
  query: 0x51,
  ready: 0x5a,
  sync: 0x53,
  terminate: 0x58,
};

/** Splits a client's byte stream into requests; chunks may end anywhere. */
export class RequestReader {
  #buffered: Buffer = Buffer.alloc(0);
  #started = false;
  #statementLength = 0;

  read(chunk: Buffer): Request[] {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const requests: Request[] = [];
    for (let request = this.#next(); request; request = this.#next()) requests.push(request);
    return requests;
  }

  #next(): Request | undefined {
    if (!this.#started) return this.#start();
    for (;;) {
      const at = this.#statementLength;
      if (this.#buffered.length < at + 5) return undefined;
      const end = at + 1 + this.#buffered.readUInt32BE(at + 1);
      if (this.#buffered.length < end) return undefined;
      const code = this.#buffered[at];
      this.#statementLength = end;
      if (code === codes.terminate) return { kind: "end" };
      if (code !== codes.query && code !== codes.sync) continue;
      const bytes = this.#take(end);
      const sql = code === codes.query ? bytes.toString("utf8", at + 5, end - 1) : "";
      return { kind: "statement", bytes, sql };
    }
  }

  /** The first message has no type byte, and is ignored because there is only one user and one database. */
  #start(): Request | undefined {
    if (this.#buffered.length < 4) return undefined;
    const length = this.#buffered.readUInt32BE(0);
    if (this.#buffered.length < length) return undefined;
    this.#take(length);
    this.#started = true;
    return { kind: "start" };
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    this.#statementLength = 0;
    return taken;
  }
}

/** The parts of an unnamed statement from a driver. */
export interface UnnamedStatement {
  /** Content of the parse message after the name. */
  parsed: Buffer;
  /** Content of the bind message after the names of portal and statement. */
  bound: Buffer;
  /** The messages that follow. */
  rest: Buffer;
}

/** A request's text, with one character per byte, and its parts if it is an unnamed statement with parameters. */
export function readStatement(request: Uint8Array): { text: string; unnamed?: UnnamedStatement } | undefined {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength);
  const end = 1 + bytes.readUInt32BE(1);
  if (bytes[0] === codes.query) return { text: bytes.toString("latin1", 5, end) };
  if (bytes[0] !== codes.parse || bytes[5] !== 0) return undefined;
  const text = bytes.toString("latin1", 6, end);
  // The names of portal and statement are empty.
  if (bytes[end] !== codes.bind || bytes.readUInt16BE(end + 5) !== 0) return { text };
  const boundEnd = end + 1 + bytes.readUInt32BE(end + 1);
  const bound = bytes.subarray(end + 7, boundEnd);
  return { text, unnamed: { parsed: bytes.subarray(6, end), bound, rest: bytes.subarray(boundEnd) } };
}

export function parseMessage(name: string, parsed: Buffer): Buffer {
  return message("P", Buffer.concat([Buffer.from(`${name}\0`), parsed]));
}

/** Binds a named statement to the unnamed portal. */
export function bindMessage(name: string, bound: Buffer): Buffer {
  return message("B", Buffer.concat([Buffer.from(`\0${name}\0`), bound]));
}

export function closeMessage(name: string): Buffer {
  return message("C", `S${name}\0`);
}

export interface Notification {
  channel: string;
  bytes: Uint8Array;
}

export interface Reply {
  bytes: Uint8Array;
  notifications: Notification[];
  status: TransactionStatus;
}

/** Separates notifications from a response: they are for the listening clients, not for the one that sent the request. */
export function readReply(answer: Uint8Array): Reply {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const notifications: Notification[] = [];
  const kept: Buffer[] = [];
  let keptFrom = 0;
  let status: TransactionStatus = "I";
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (bytes[at] === codes.notification) {
      const channel = bytes.toString("utf8", at + 9, bytes.indexOf(0, at + 9));
      notifications.push({ channel, bytes: bytes.subarray(at, end) });
      kept.push(bytes.subarray(keptFrom, at));
      keptFrom = end;
    } else if (bytes[at] === codes.ready) {
      status = readStatus(bytes[at + 5]);
    }
    at = end;
  }
  if (notifications.length === 0) return { bytes, notifications, status };
  return { bytes: Buffer.concat([...kept, bytes.subarray(keptFrom)]), notifications, status };
}

function readStatus(code: number | undefined): TransactionStatus {
  if (code === 0x54) return "T";
  return code === 0x45 ? "E" : "I";
}

export function queryMessage(sql: string): Uint8Array {
  return message("Q", `${sql}\0`);
}

const readyMessage = message("Z", "I");
export const parseComplete = message("1", "");
export const closeComplete = message("3", "");

/** The server's messages to an accepted client. */
export const welcomeMessage: Uint8Array = Buffer.concat([
  message("R", "\0\0\0\0"),
  message("S", "client_encoding\0UTF8\0"),
  message("S", "integer_datetimes\0on\0"),
  message("S", "standard_conforming_strings\0on\0"),
  readyMessage,
]);

export function commandCompleteMessage(tag: string): Uint8Array {
  return Buffer.concat([message("C", `${tag}\0`), readyMessage]);
}

export function errorMessage(sqlState: string, text: string): Uint8Array {
  return Buffer.concat([message("E", `SERROR\0VERROR\0C${sqlState}\0M${text}\0\0`), readyMessage]);
}

function message(type: string, content: string | Buffer): Buffer {
  const body = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
