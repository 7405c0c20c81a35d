import { once } from "node:events";
import { createServer, isIP, type AddressInfo, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { AppError } from "./errors.ts";

/** Where a server listens, and the names of the settings that say so. */
export interface ListeningPlace {
  host: string;
  /** 0 takes a free one. */
  port: number;
  hostSetting: string;
  portSetting: string;
}

/** Where the sandbox listens. */
export const sandboxSettings = { hostSetting: "SANDBOX_HOST", portSetting: "SANDBOX_PORT" } as const;

/** Where the console listens. */
export const consoleSettings = { hostSetting: "CONSOLE_HOST", portSetting: "CONSOLE_PORT" } as const;

const anyAddress: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Whether only this machine reaches what listens there, or comes from there. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/.test(name);
}

/** Whether what is sent there stays on this machine: loopback, or an address of its own. */
export function isThisMachine(host: string): boolean {
  if (isLoopback(host)) return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}

/** http://host:port; an IPv6 address in brackets. */
export function originOf({ host, port }: Pick<ListeningPlace, "host" | "port">): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The same as this machine reaches it: what listens on all addresses is asked on loopback. */
export function nearOriginOf({ host, port }: Pick<ListeningPlace, "host" | "port">): string {
  return originOf({ host: anyAddress[host] ?? host, port });
}

/** What a server that listens is bound to. */
export function boundTo(server: Pick<Server, "address">): { host: string; port: number } {
  // A server that listens on TCP has such an address.
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port };
}

/** Makes a server listen and gives what it is bound to. Throws `invalid_configuration` where it cannot listen there. */
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
 * Throws `invalid_configuration` where a server could not listen now: before a start does what takes long. Gives the port: of
 * 0, one that is free at the moment.
 */
export async function requireListenable(place: ListeningPlace): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, place);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Why a server cannot listen and what to do, as `invalid_configuration`; anything else is given back as it is. */
export function explainListening(cause: unknown, place: ListeningPlace): unknown {
  if (!(cause instanceof Error && "code" in cause && typeof cause.code === "string")) return cause;
  const message = explanations[cause.code]?.(place);
  return message === undefined ? cause : new AppError("invalid_configuration", message, { cause });
}

const noSuchHost = ({ host, hostSetting }: ListeningPlace) =>
  `This machine has no address ${host}. Set ${hostSetting} to one of its own, such as 127.0.0.1.`;

const explanations: Readonly<Record<string, (place: ListeningPlace) => string>> = {
  EADDRINUSE: ({ host, port, portSetting }) =>
    `Port ${port} on ${host} is in use, perhaps by another Castellan. Stop it, or set ${portSetting} to another port.`,
  EACCES: ({ port, portSetting }) =>
    `Port ${port} may not be used without privileges. Set ${portSetting} to a port from 1024 on.`,
  EADDRNOTAVAIL: noSuchHost,
  ENOTFOUND: noSuchHost,
  EAI_AGAIN: noSuchHost,
  EAFNOSUPPORT: noSuchHost,
  EINVAL: noSuchHost,
};
