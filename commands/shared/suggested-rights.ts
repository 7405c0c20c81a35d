import type { CommandContext } from "../../src/discord/command-context.ts";
import { listRights } from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";

/** Suggestions are asked for at every keystroke: what an actor may see counts for this long, in milliseconds. */
const lifetime = 5000;
/** Actors that are remembered at once. */
const capacity = 1000;

type Rights = ReadonlyMap<string, readonly string[]>;
interface Remembered {
  until: number;
  rights: Promise<Rights>;
}
const byDatabase = new WeakMap<CommandContext["database"], Map<string, Remembered>>();

/** The linked channels in which the actor holds the capability, or any; suggestions show nothing of others. */
export async function suggestedChannels(context: CommandContext, capability?: Capability): Promise<string[]> {
  const rights = [...(await recallRights(context))];
  return rights
    .filter(([, held]) => (capability === undefined ? held.length > 0 : held.includes(capability)))
    .map(([channelId]) => channelId);
}

function recallRights(context: CommandContext): Promise<Rights> {
  const { database, clock, actor } = context;
  const remembered = byDatabase.get(database) ?? new Map<string, Remembered>();
  byDatabase.set(database, remembered);
  const key = [actor.guildId, actor.userId, actor.managesServer, ...actor.roleIds].join(" ");
  const now = clock.now();
  const known = remembered.get(key);
  // A clock that was set back must not make them last.
  if (known && now < known.until && known.until <= now + lifetime) return known.rights;
  const rights = listRights(context, actor);
  remembered.delete(key);
  remembered.set(key, { until: now + lifetime, rights });
  rights.catch(() => remembered.delete(key));
  const [oldest] = remembered.keys();
  if (remembered.size > capacity && oldest !== undefined) remembered.delete(oldest);
  return rights;
}
