import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A way to a server that can be cut, as when the network between two machines fails. */
export interface Relay {
  url: string;
  /** From now on nothing gets through. */
  cut(): void;
  /**
   * Cuts when a request begins like this ("POST /fc/channel-bans"): before it gets there, or after it did but before
   * its answer comes back.
   */
  cutAt(request: string, when: "before" | "after"): void;
  /** What is connected gets no byte any more, and hears of no end; whoever connects from now on is served. */
  silence(): void;
  /** The same for whoever connects from now on, too. */
  swallow(): void;
  /** Each byte takes this many milliseconds longer, in both directions. */
  slow(ms: number): void;
  fix(): void;
  close(): Promise<void>;
}

export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let silent = new WeakSet<Socket>();
  let down = false;
  let swallows = false;
  let delayMs = 0;
  /** What is still under way to a socket. */
  const delayed = new WeakMap<Socket, Promise<unknown>>();
  const pass = (to: Socket, chunk: Buffer) => {
    const before = delayed.get(to);
    if (delayMs === 0 && before === undefined) return void to.write(chunk);
    const sent = Promise.all([before, sleep(delayMs)]).then(() => {
      to.write(chunk);
      if (delayed.get(to) === sent) delayed.delete(to);
    });
    delayed.set(to, sent);
  };
  let trap: { request: string; when: "before" | "after" } | undefined;
  const cut = () => {
    down = true;
    trap = undefined;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (down) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        if (silent.has(socket)) return;
        near.destroy();
        far.destroy();
      });
    }
    let answers = true;
    near.on("data", (chunk: Buffer) => {
      if (swallows || silent.has(near)) return;
      if (trap && chunk.toString("latin1").startsWith(trap.request)) {
        if (trap.when === "before") return cut();
        answers = false;
      }
      pass(far, chunk);
    });
    far.on("data", (chunk: Buffer) => {
      if (swallows || silent.has(far)) return;
      if (answers) pass(near, chunk);
      else cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  const own = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own.port}`,
    cut,
    cutAt: (request, when) => {
      trap = { request, when };
    },
    silence: () => {
      silent = new WeakSet(sockets);
    },
    swallow: () => {
      swallows = true;
    },
    slow: (ms) => {
      delayMs = ms;
    },
    fix: () => {
      delayMs = 0;
      down = false;
      swallows = false;
    },
    close: () => close(server, sockets),
  };
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
