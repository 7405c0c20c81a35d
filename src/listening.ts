import { once } from "node:events";
import { createServer, isIP, type AddressInfo, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { AppError } from "./errors.ts";

/** Where a server listens, and the names of the settings that configure it. */
export interface ListeningPlace {
  host: string;
  /** 0 picks a free port. */
  port: number;
  hostSetting: string;
  portSetting: string;
}

/** Where the sandbox listens. */
export const sandboxSettings = { hostSetting: "SANDBOX_HOST", portSetting: "SANDBOX_PORT" } as const;

/** Where the console listens. */
export const consoleSettings = { hostSetting: "CONSOLE_HOST", portSetting: "CONSOLE_PORT" } as const;

const anyAddress: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Whether an address or name is loopback. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/.test(name);
}

/** Whether an address belongs to this machine: loopback, or one of its network interfaces. */
export function isThisMachine(host: string): boolean {
  if (isLoopback(host)) return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}

/** http://host:port, with brackets around an IPv6 address. */
export function originOf({ host, port }: Pick<ListeningPlace, "host" | "port">): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The origin for connecting from this machine: loopback for a server that listens on all addresses. */
export function nearOriginOf({ host, port }: Pick<ListeningPlace, "host" | "port">): string {
  return originOf({ host: anyAddress[host] ?? host, port });
}

/** The address and port that a listening server is bound to. */
export function boundTo(server: Pick<Server, "address">): { host: string; port: number } {
  // Servers that listen on TCP have an AddressInfo.
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port };
}

/** Starts listening and returns the bound address. Throws `invalid_configuration` if the server cannot listen there. */
export async function listen(server: Server, place: ListeningPlace): Promise<{ host: string; port: number }> {
  try {
    server.listen(place.port, place.host);
    await once(server, "listening");
  } catch (cause) {
    throw explainListening(cause, place);
  }
  return boundTo(server);
}

/**
 * Checks that a server could listen, before a start does slow work. Returns the port; for 0, one that is free now.
 * Throws `invalid_configuration`.
 */
export async function requireListenable(place: ListeningPlace): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, place);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Explains as `invalid_configuration` why a server cannot listen and what to do; returns other errors unchanged. */
export function explainListening(cause: unknown, place: ListeningPlace): unknown {
  if (!(cause instanceof Error && "code" in cause && typeof cause.code === "string")) return cause;
  const message = explanations[cause.code]?.(place);
  return message === undefined ? cause : new AppError("invalid_configuration", message, { cause });
}

const noSuchHost = ({ host, hostSetting }: ListeningPlace) =>
  `This machine has no address ${host}. Set ${hostSetting} to one that it has, such as 127.0.0.1.`;

const explanations: Readonly<Record<string, (place: ListeningPlace) => string>> = {
  EADDRINUSE: ({ host, port, portSetting }) =>
    `Port ${port} on ${host} is in use, perhaps by another Castellan. Stop it, or set ${portSetting} to another port.`,
  EACCES: ({ port, portSetting }) =>
    `Port ${port} cannot be used without privileges. Set ${portSetting} to 1024 or higher.`,
  EADDRNOTAVAIL: noSuchHost,
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
  EAFNOSUPPORT: noSuchHost,
  EINVAL: noSuchHost,
};
