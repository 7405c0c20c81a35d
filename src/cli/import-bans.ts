import { z } from "zod";
import type { Config } from "../config.ts";
import { taskFileLimit } from "../contract/operator.ts";
import { amount } from "../text/amount.ts";
import { showNumber } from "../text/numbered.ts";
import type { TextOutput } from "../text/show-controls.ts";
import { showMoment } from "../text/since.ts";
import { askForTask } from "./ask-instance.ts";
import { readTextFile } from "./text-file.ts";

const Answer = z.object({
  bans: z.array(z.object({ fid: z.int(), reason: z.string().optional(), untilMs: z.int().optional() })),
  alreadyBanned: z.array(z.int()),
  over: z.array(z.int()),
  refused: z.array(z.object({ fid: z.int(), why: z.string() })),
  bulk: z.int().optional(),
});

interface BanListOptions {
  file: string;
  /** The server's Discord id. */
  server: string;
  channel: string;
  dryRun: boolean;
}

/** Prints the users that a list of bans would ban, and begins a bulk that bans them unless it is a dry run. */
export async function importBans(
  config: Config,
  { file, server, channel, dryRun }: BanListOptions,
  out: TextOutput,
): Promise<void> {
  const source = await readTextFile(file, taskFileLimit);
  const request = { server, channel, source, apply: !dryRun };
  const answer = await askForTask(config, "bans", request, { Answer, file });
  const lines = [...describeBans(answer, channel, dryRun), ...describeOthers(answer)];
  out.write(`${lines.join("\n")}\n`);
}

function describeBans({ bans, bulk }: z.infer<typeof Answer>, channel: string, dryRun: boolean): string[] {
  if (bans.length === 0) return [`Nobody to ban from /${channel}.`];
  const users = amount(bans.length, "user");
  return [
    dryRun || bulk === undefined
      ? `Would ban ${users} from /${channel}:`
      : `Bulk ${showNumber("bulk", bulk)} bans ${users} from /${channel}. /case show has its progress.`,
    ...bans.map(({ fid, reason, untilMs }) => {
      const until = untilMs === undefined ? "permanently" : `until ${showMoment(untilMs)}`;
      return `  fid ${fid} ${until}${reason === undefined ? "" : `: ${reason}`}`;
    }),
  ];
}

function describeOthers({ alreadyBanned, over, refused }: z.infer<typeof Answer>): string[] {
  return [
    ...alreadyBanned.map((fid) => `Left out: fid ${fid} is banned already, and stays so as now.`),
    ...over.map((fid) => `Left out: the ban of fid ${fid} is over.`),
    ...refused.map(({ fid, why }) => `Left out: fid ${fid}: ${why}.`),
  ];
}
