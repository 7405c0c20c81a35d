/** The local Discord of `bench:load` in a process of its own: many servers, in which a moderator types commands at a steady rate. */
import { setTimeout as sleep } from "node:timers/promises";
import { startTestDiscord, testWorld } from "../test/support/discord.ts";
import type { GivenOptions } from "../src/sandbox/discord/actions/fill-options.ts";

export interface FleetOrder {
  perSecond: number;
  seconds: number;
  /** Typed in turn, each in the next server. */
  commands: readonly { command: string; options: GivenOptions }[];
}

export type FleetNews =
  | {
      kind: "ready";
      api: string;
      ownerId: string;
      servers: { guildId: string; roomId: string; roleId: string }[];
    }
  /** Milliseconds from typing to Discord's receipt of the first response, and to the answer of each command. */
  | { kind: "typed"; acknowledged: number[]; answered: { command: string; ms: number }[]; failed: number };

const [count, token] = [Number(process.argv[2]), process.argv[3] ?? ""];
const [guild] = testWorld.guilds;
if (!guild) throw new Error("the test world has a server");
const guilds = Array.from({ length: count }, (_, index) => ({
  ...guild,
  name: `Server ${index}`,
  rooms: [{ name: `room-${index}` }],
}));
const discord = await startTestDiscord({ ...testWorld, guilds, token });
const { world } = discord.context;
const rooms = [...world.rooms.values()];
const servers = [...world.guilds.values()].map(({ id, roles }) => ({
  guildId: id,
  roomId: rooms.find(({ guildId }) => guildId === id)?.id ?? "",
  roleId: roles.find(({ name }) => name === "Moderator")?.id ?? "",
}));
const idOf = (name: string) => [...world.users.values()].find(({ username }) => username === name)?.id ?? "";
const moderator = idOf("moderator");
/** What to do when an interaction's answer stands there: a deferred one is empty before it is filled. */
const onAnswer = new Map<string, () => void>();
discord.context.happened.listen((event) => {
  if (event.kind !== "message" || (event.message.embeds.length === 0 && event.message.content === "")) return;
  const { origin } = event.message;
  if (origin) onAnswer.get(origin.id)?.();
});
const tell = (news: FleetNews) => process.send?.(news);

async function type({ perSecond, seconds, commands }: FleetOrder): Promise<void> {
  const news: Extract<FleetNews, { kind: "typed" }> = {
    kind: "typed",
    acknowledged: [],
    answered: [],
    failed: 0,
  };
  const started = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await sleep(Math.max(0, started + (index * 1000) / perSecond - performance.now()));
    const typed = commands[index % commands.length];
    if (!typed) throw new Error("there are no commands to type");
    const begun = performance.now();
    const room = servers[index % servers.length]?.roomId ?? "";
    const { id, outcome } = discord.people.slash({ user: moderator, room, ...typed });
    onAnswer.set(id, () => {
      onAnswer.delete(id);
      news.answered.push({ command: typed.command, ms: performance.now() - begun });
    });
    void outcome.then(({ kind }) => {
      if (kind === "failed") news.failed += 1;
      else news.acknowledged.push(performance.now() - begun);
    });
  }
  for (let waited = 0; onAnswer.size > 0 && waited < 30; waited += 1) await sleep(1000);
  onAnswer.clear();
  tell(news);
}

process.on("message", (order: FleetOrder | "end") => {
  if (order === "end") void discord.stop().then(() => process.disconnect());
  else void type(order);
});
// Ends with the bench, even if it crashes.
process.once("disconnect", () => process.exit());
tell({ kind: "ready", api: discord.api, ownerId: idOf("owner"), servers });
