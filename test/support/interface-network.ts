import { randomInt } from "node:crypto";
import { afterAll, expect } from "vitest";
import type { NetworkSettings } from "../../src/api/context.ts";
import { openInterfaceServer, originOf } from "./interface-server.ts";
import { castHash } from "./seed.ts";
import { custodyOf, keyOf, makeToken } from "./signing.ts";

/** What came back over HTTP. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Who they are in every channel that `InterfaceNetwork.channel` makes, unless the test says otherwise. */
export const people = { owner: 1, moderator: 2, member: 3, follower: 4, stranger: 5, bot: 9101 };

/** A channel of a network file, apart from what the test does not care about. */
export interface ChannelParts {
  leadFid?: number;
  moderatorFids?: number[];
  memberFids?: number[];
  followers?: number[];
  publicCasting?: boolean;
  createdAt?: number;
  [field: string]: unknown;
}

/** The public state of a channel: fids in ascending order, invites as `fid role`. Its memberCount counts the members. */
export interface ChannelState {
  members: number[];
  moderators: number[];
  invites: string[];
  restricted: number[];
  banned: number[];
}

/** Of a channel in which nothing has happened yet. */
export const fresh: ChannelState = {
  members: [1, 2, 3],
  moderators: [2],
  invites: [],
  restricted: [],
  banned: [],
};

/**
 * A network that a test knows by its HTTP interface alone: requests are written as in interface.md
 * (`GET /v1/channel`), data comes in by network files. Accounts 1 to 40 and the bot have application keys. It is the
 * embedded one, or the server that conformance runs against, which others may have filled before: a test that looks at
 * what belongs to no channel asks for people and names of its own.
 */
export interface InterfaceNetwork {
  /** Where the client API is. */
  url: string;
  now: () => number;
  /** The present second, counted from `epoch`, as an answer may hold it: exact where the clock stands still, else within ten seconds. */
  justNow: (epoch?: number) => unknown;
  /** Moves the clock, or waits. */
  pass: (seconds: number) => Promise<void>;
  /** Fids that nobody has. */
  unused(count: number): number[];
  /** The fids of new accounts with application keys. */
  newcomers(count: number): Promise<number[]>;
  /** A name or an id that nobody else uses: the word, then the test's own letters. At most 16 characters. */
  own(word: string): string;
  /** Without authorization; GET sends its input as the query, any other method as a JSON body. */
  call(request: string, input?: object | string, headers?: Record<string, string>): Promise<Answer>;
  /** With a fresh bearer token of the fid. */
  as: (fid: number, request: string, input?: object) => Promise<Answer>;
  operator: (request: string, input?: object | string) => Promise<Answer>;
  /** Imports a network file; throws unless the network takes it. */
  import(file: object): Promise<void>;
  /** The id of a new channel with the usual people in it. */
  channel(parts?: ChannelParts): Promise<string>;
  /** The hash of a new cast, by import. */
  cast(cast: { fid: number; channelId?: string; parentHash?: string; timestamp?: number }): Promise<string>;
  state(channelId: string): Promise<ChannelState>;
  /** The records of a listing: the only array of its result. */
  list(request: string, query?: object): Promise<Row[]>;
  /** How clients see a cast, by the operator's read. */
  castState(hash: string): Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

/** A record of any listing. */
export type Row = Record<string, unknown> & { fid: number };

export const success: Answer = { status: 200, body: { result: { success: true } } };

export const channelUrl = (id: string) => `https://castle.test/~/channel/${id}-home`;

const firstUnused = 10_000_000;

export const founded = 1_690_000_000;

export async function startInterfaceNetwork(
  settings: Partial<NetworkSettings> = {},
): Promise<InterfaceNetwork> {
  const server = await openInterfaceServer(settings);
  const { now } = server;

  const call: InterfaceNetwork["call"] = (request, input, headers) =>
    send(originOf(server, request), request, input, headers);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const as: InterfaceNetwork["as"] = async (fid, request, input = {}) =>
    call(request, input, bearer(await makeToken(fid, now() + 300)));
  const operator: InterfaceNetwork["operator"] = (request, input) =>
    call(request, input, bearer(server.operatorToken));
  const importFile = async (file: object) => {
    const { status, body } = await operator("POST /operator/network", file);
    if (status !== 200) throw new Error(`The file was refused: ${JSON.stringify(body)}`);
  };
  const list: InterfaceNetwork["list"] = async (request, query) => recordsOf(await call(request, query));

  const enroll = async (fids: number[]) => {
    await importFile({ accounts: await Promise.all(fids.map(describeAccount)) });
    return fids;
  };
  await enroll([...range(1, 40), people.bot]);
  const salt = randomInt(36 ** 5);
  let made = 0;
  const next = () => (made += 1);
  const unused = (count: number) => range(1, count).map(() => firstUnused + salt * 10_000 + next());
  return {
    url: server.base,
    now,
    justNow: server.justNow,
    pass: server.pass,
    unused,
    newcomers: (count) => enroll(unused(count)),
    own: (word) => `${word}-${salt.toString(36).padStart(5, "0")}`,
    call,
    as,
    operator,
    import: importFile,
    list,
    async channel({ followers = [people.follower], ...parts } = {}) {
      const id = `c${salt.toString(36).padStart(5, "0")}-${next()}`;
      const channelFollows = followers.map((fid) => ({ fid, channelId: id, followedAt: founded }));
      await importFile({ channels: [{ ...usualChannel(id), ...parts }], channelFollows });
      return id;
    },
    async cast(cast) {
      const hash = castHash(salt * 10_000 + next());
      await importFile({ casts: [{ hash, text: "gm", timestamp: founded, ...cast }] });
      return hash;
    },
    async state(channelId) {
      const listings = ["channel-members", "channel-invites", "channel-restricted-users", "channel-bans"];
      const [members = [], invites = [], restricted = [], banned = []] = await Promise.all(
        listings.map((name) => list(`GET /fc/${name}`, { channelId })),
      );
      const { channel } = resultOf(await call("GET /v1/channel", { channelId }));
      // Every channel names its moderators, if only by an empty list.
      const { moderatorFids, memberCount } = channel as { moderatorFids: number[]; memberCount: number };
      expect(memberCount).toBe(members.length);
      return {
        members: fidsOf(members),
        moderators: moderatorFids.toSorted((a, b) => a - b),
        invites: invites.map(({ invitedFid, role }) => `${String(invitedFid)} ${String(role)}`).toSorted(),
        restricted: fidsOf(restricted),
        banned: fidsOf(banned),
      };
    },
    castState: async (hash) => resultOf(await operator(`GET /operator/casts/${hash}`)),
    close: server.close,
  };
}

/** The same for the tests of one file, closed after them. */
export async function useInterfaceNetwork(): Promise<InterfaceNetwork> {
  const network = await startInterfaceNetwork();
  afterAll(() => network.close());
  return network;
}

/** One request on the wire; a string is sent as it is. */
export async function send(
  url: string,
  request: string,
  input?: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await sendRaw(url, request, input, headers);
  return { status: response.status, body: await response.json() };
}

/** As `send`, with the whole response. */
export function sendRaw(
  url: string,
  request: string,
  input?: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const [method = "GET", path] = request.split(" ");
  if (method === "GET") {
    const query = new URLSearchParams(
      Object.entries(input ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return fetch(`${url}${path}?${query.toString()}`, { headers });
  }
  return fetch(`${url}${path}`, {
    method,
    body: typeof input === "string" ? input : JSON.stringify(input ?? {}),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** An error of the client API; the reason may be left open. */
export function refused(status: number, reason?: string): Answer {
  const error = { message: anyText, reason: reason ?? anyText };
  return { status, body: { errors: [expect.objectContaining(error)] } };
}

/** The payload of an answer that succeeded. */
export function resultOf({ status, body }: Answer): Record<string, unknown> {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  // Tests compare what they read of it.
  return (body as { result: Record<string, unknown> }).result;
}

export function recordsOf(answer: Answer): Row[] {
  // Every listing of the client API holds one array.
  return (Object.values(resultOf(answer)).find((value) => Array.isArray(value)) ?? []) as Row[];
}

export const cursorOf = ({ body }: Answer) => (body as { next?: { cursor: string } }).next?.cursor;

/** A listing's pages, to the last one; at most twenty. */
export async function readPages(
  network: InterfaceNetwork,
  request: string,
  query: object,
  limit: number,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  let cursor: string | undefined;
  do {
    const page = await network.call(request, { ...query, limit, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = cursorOf(page);
  } while (cursor && pages.length < 20);
  return pages;
}

export const fidsOf = (records: Row[]) => records.map(({ fid }) => fid).toSorted((a, b) => a - b);

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function describeAccount(fid: number) {
  return { fid, custodyAddress: custodyOf(fid).address, appKeys: [await keyOf(fid)] };
}

function usualChannel(id: string) {
  return {
    id,
    name: id,
    url: channelUrl(id),
    imageUrl: "https://castle.test/flag.png",
    leadFid: people.owner,
    moderatorFids: [people.moderator],
    memberFids: [people.member],
    publicCasting: true,
    createdAt: founded,
  };
}

/** `expect.any` is typed as any; as unknown it stays what it is. */
const anyText: unknown = expect.any(String);

export type Role = "member" | "moderator";

/** The calls that change who may do what in a channel, each first naming who calls. */
export interface MembershipCalls {
  invite: (by: number, channelId: string, inviteFid: number, role: Role) => Promise<Answer>;
  remove: (by: number, channelId: string, removeFid: number, role: Role) => Promise<Answer>;
  answer: (by: number, channelId: string, role: Role, accept: boolean) => Promise<Answer>;
  ban: (by: number, channelId: string, banFid: number) => Promise<Answer>;
  unban: (by: number, channelId: string, unbanFid: number) => Promise<Answer>;
  /** By link; the operator says so. */
  join: (fid: number, channelId: string) => Promise<Answer>;
}

export function membershipCalls({ as, operator }: InterfaceNetwork): MembershipCalls {
  const invites = "/fc/channel-invites";
  const bans = "/fc/channel-bans";
  return {
    invite: (by, channelId, inviteFid, role) => as(by, `POST ${invites}`, { channelId, inviteFid, role }),
    remove: (by, channelId, removeFid, role) => as(by, `DELETE ${invites}`, { channelId, removeFid, role }),
    answer: (by, channelId, role, accept) => as(by, `PATCH ${invites}`, { channelId, role, accept }),
    ban: (by, channelId, banFid) => as(by, `POST ${bans}`, { channelId, banFid }),
    unban: (by, channelId, unbanFid) => as(by, `DELETE ${bans}`, { channelId, unbanFid }),
    join: (fid, channelId) => operator("POST /operator/join", { channelId, fid }),
  };
}
