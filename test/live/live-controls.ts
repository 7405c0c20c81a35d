import type { Fault } from "./live-faults.ts";
import type { LiveNetwork, NewCast } from "./live-network.ts";
import { readBody, serve, type LiveServer } from "./live-server.ts";

/*
 * What a test does with a live network that is another process, beside what its people do through the services: who is there,
 * casts, answers on a phone, what fails; and looks at what came of it. Plain data in and out.
 */

export type Controls = ReturnType<typeof createControls>;

function createControls({ client, registry, hub, keys, join, cast }: LiveNetwork) {
  const { channels } = client;
  return {
    addPerson: (fid: number, person: { name?: string; custody?: string }): void => join(fid, person),
    addChannel({ id, name, owner }: { id: string; name: string; owner: number }): void {
      channels.add(id, owner).name = name;
    },
    cast: (input: NewCast): string => cast(input),
    /** The newest request for a key is answered in the app. */
    decideRequest: (state: "approved" | "completed" | "denied", fid: number): void => keys.decide(state, fid),
    takeKeys: (fid: number): void => keys.forget(fid),
    fail(service: "client" | "registry", path: string, fault: Fault | null, times?: number): void {
      (service === "client" ? client : registry).fail(path, fault ?? undefined, times);
    },
    /** What the node demands as x-api-key; and the height of its latest block, of each shard. */
    setHub({ apiKey, upTo }: { apiKey?: string; upTo?: number | null }): void {
      if (apiKey !== undefined) hub.faults.apiKey = apiKey;
      if (upTo === undefined) return;
      hub.faults.upTo.clear();
      if (upTo !== null) for (const shard of [1, 2]) hub.faults.upTo.set(shard, upTo);
    },
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
    /** Calls of all, and those that were one too many. */
    count: () => ({ client: client.requests.length, refused: client.refused, hub: hub.requests.length }),
  };
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
