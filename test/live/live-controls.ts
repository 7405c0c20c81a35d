import type { LiveClient } from "./live-client.ts";
import type { Fault } from "./live-faults.ts";
import type { LiveNetwork, NewCast } from "./live-network.ts";
import { readBody, serve, type LiveServer } from "./live-server.ts";

/*
 * What a test does with a live network that is another process, beside what its people do through the services: who is there,
 * casts, answers on a phone, what fails; and looks at what came of it. Plain data in and out.
 */

export type Controls = ReturnType<typeof createControls>;

function createControls(network: LiveNetwork) {
  const { client, registry, hub, keys, join, cast, fallBehind } = network;
  const { channels } = client;
  return {
    addPerson: (fid: number, person: { name?: string; custody?: string }): void => join(fid, person),
    addChannel({ id, name, owner }: { id: string; name: string; owner: number }): void {
      channels.add(id, owner).name = name;
    },
    cast: (input: NewCast): string => cast(input),
    /** The newest request for a key is answered in the app. */
    decideRequest: (state: "approved" | "completed" | "denied", fid: number): void => keys.decide(state, fid),
    /** Somebody revokes all keys of the fid, in the app. */
    revokeKeys(fid: number): void {
      for (const [key, of] of keys.all) if (of === fid) keys.revoke(key);
    },
    fail(service: "client" | "registry", path: string, fault: Fault | null, times?: number): void {
      (service === "client" ? client : registry).fail(path, fault ?? undefined, times);
    },
    /** What the hub demands as x-api-key. */
    lockHub: (apiKey: string): void => void (hub.faults.apiKey = apiKey),
    fallBehind,
    /** A channel as it is, with the hidden casts of it. */
    look(channelId: string) {
      const channel = channels.all.get(channelId);
      if (!channel) throw new Error(`there is no channel ${channelId}`);
      const { standings, invites, followers, pinned = null } = channel;
      const having = (wanted: string) =>
        [...standings].flatMap(([fid, { standing }]) => (standing === wanted ? [fid] : []));
      return {
        members: having("member"),
        moderators: having("moderator"),
        restricted: having("restricted"),
        banned: having("banned"),
        invites: [...invites].map(([fid, { role }]) => `${fid} ${role}`),
        followers: [...followers.keys()],
        pinned,
        hidden: [...channels.casts].flatMap(([hash, own]) =>
          own.channelId === channelId && own.hidden ? [hash] : [],
        ),
      };
    },
    /** What a fid asked the client API to change, in order: "POST /fc/channel-bans 200", with what was sent. */
    writesOf: (fid: number) =>
      client.writes.flatMap(({ route, body, status, ...by }) =>
        by.fid === fid ? [{ call: `${route} ${status}`, body }] : [],
      ),
    /** Calls of the client API that were one too many, by their routes. */
    refusals: (): string[] => client.refusals,
    /** The most calls to a route within ten seconds, of each route. */
    busiest: (): Record<string, number> => countBusiest(client.requests),
  };
}

function countBusiest(requests: LiveClient["requests"]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const { route, at } of requests) {
    const calls = requests.filter(
      (one) => one.route === route && one.at > at - 10_000 && one.at <= at,
    ).length;
    most[route] = Math.max(most[route] ?? 0, calls);
  }
  return most;
}

/** Serves the controls: POST /{name} with the arguments as a list. */
export function serveControls(network: LiveNetwork): Promise<LiveServer> {
  const controls = createControls(network);
  return serve(async (request, response) => {
    const name = (request.url ?? "").slice(1);
    const { given } = await readBody(request);
    // As ControlCalls sends them.
    const call = controls[name as keyof Controls] as (...given: unknown[]) => unknown;
    try {
      response.end(JSON.stringify({ result: call(...(given as unknown[])) }));
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }));
    }
  });
}

/** The same controls from another process. */
export type ControlCalls = {
  [Name in keyof Controls]: (...given: Parameters<Controls[Name]>) => Promise<ReturnType<Controls[Name]>>;
};

export function callControls(url: string): ControlCalls {
  const call = async (name: string, given: unknown[]) => {
    const response = await fetch(`${url}/${name}`, { method: "POST", body: JSON.stringify({ given }) });
    // As serveControls answers.
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  };
  const handler = {
    get:
      (_: object, name: string) =>
      (...given: unknown[]) =>
        call(name, given),
  };
  return new Proxy({}, handler) as ControlCalls; // each name is a call
}
