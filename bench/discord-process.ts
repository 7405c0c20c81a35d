/** The local Discord in a separate process, whose people type a given number of commands a second on demand. */
import { setTimeout as sleep } from "node:timers/promises";
import { startTestDiscord } from "../test/support/discord.ts";

export interface TypeOrder {
  perSecond: number;
  /** Duration, unless the next order comes first. */
  seconds: number;
}

export type DiscordNews =
  | { kind: "ready"; api: string; guildId: string }
  /** Milliseconds from each interaction to its callback; `late` ones were not acknowledged in time. */
  | { kind: "typed"; waits: number[]; late: number };

const discord = await startTestDiscord();
const user = [...discord.context.world.users.values()].find(({ username }) => username === "owner")?.id ?? "";
const tell = (news: DiscordNews) => process.send?.(news);
let stopping = new AbortController();

async function type({ perSecond, seconds }: TypeOrder): Promise<void> {
  stopping = new AbortController();
  const waits: number[] = [];
  let late = 0;
  const started = performance.now();
  const typed: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds && !stopping.signal.aborted; count++) {
    await sleep(Math.max(0, started + (count * 1000) / perSecond - performance.now()));
    const begun = performance.now();
    const { outcome } = discord.people.slash({
      user,
      room: discord.rooms.general,
      command: "help",
      options: {},
    });
    typed.push(
      outcome.then(({ kind }) => {
        if (kind === "failed") late += 1;
        else waits.push(performance.now() - begun);
      }),
    );
  }
  await Promise.all(typed);
  tell({ kind: "typed", waits, late });
}

process.on("message", (order: TypeOrder | "stop" | "end") => {
  if (order === "stop") stopping.abort();
  else if (order === "end") void discord.stop().then(() => process.disconnect());
  else void type(order);
});
// Ends with the bench, even if it crashes.
process.once("disconnect", () => process.exit());
tell({ kind: "ready", api: discord.api, guildId: discord.guildId });
