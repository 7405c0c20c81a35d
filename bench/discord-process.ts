/** The local Discord in a process of its own, whose people type when they are told to: so many commands a second. */
import { setTimeout as sleep } from "node:timers/promises";
import { startTestDiscord } from "../test/support/discord.ts";

export interface TypeOrder {
  perSecond: number;
  /** Until then, or until the next order. */
  seconds: number;
}

export type DiscordNews =
  | { kind: "ready"; api: string; guildId: string }
  /** Milliseconds from each interaction to its callback; `late` were not acknowledged in time. */
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
// A bench that broke off tells nothing any more.
process.once("disconnect", () => process.exit());
tell({ kind: "ready", api: discord.api, guildId: discord.guildId });
