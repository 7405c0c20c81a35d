import { seconds } from "../clock.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import { changeWords, type RuleOutcome } from "../rules/rehearse/compare-verdicts.ts";
import type { ChannelCoverage } from "../rules/rehearse/coverage.ts";
import { rehearsalNote, rehearse, type Rehearsal } from "../rules/rehearse/rehearse.ts";
import { createRuleThreads } from "../rules/threads/rule-threads.ts";
import { findRules } from "../rules/versions/rules-of-server.ts";
import { openAtRest } from "../start/open-database.ts";
import { openReader, type Reader } from "../start/open-reader.ts";
import { readRuleFile } from "./rule-file.ts";
import { castLine } from "../text/show-cast.ts";
import { showNumber } from "../text/numbered.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** The options of `rules test`. */
interface TestOptions {
  file: string;
  channel: string;
  /** The server's Discord id; undefined if only one server is linked to the channel. */
  server?: string;
  days: number;
}

/** Tests a rule file on a channel's stored history, like `/rule test`, and prints what it would change. */
export async function testRules(
  config: Config,
  { file, channel, server, days }: TestOptions,
  out: TextOutput,
  progress: NodeJS.WriteStream,
): Promise<void> {
  const after = await readRuleFile(file);
  const ruleThreads = createRuleThreads();
  const reader = await openAtRest(config, () => openReader(config), instead);
  try {
    const guildId = server ?? (await findServer(reader, channel));
    const context = { ...reader, ruleThreads };
    const rehearsal = await rehearse(context, {
      queue: guildId,
      guildId,
      channelIds: [channel],
      since: seconds(reader.clock) - days * 86_400,
      before: (await findRules(context, guildId))?.ruleSet,
      after,
      timeoutMs: Infinity,
      onProgress: async (done) => {
        if (progress.isTTY) progress.write(`\r${Math.floor(done * 100)} %`);
      },
    });
    if (progress.isTTY) progress.write("\r");
    out.write(describe(rehearsal, channel, days));
  } finally {
    await ruleThreads.close();
    await reader.close();
  }
}

const instead =
  "Use /rule test in Discord, which needs no stop. Or stop Castellan, run this again, and start it.";

async function findServer({ database }: Reader, channelId: string): Promise<string> {
  const links = await database.query
    .selectFrom("castellan.links")
    .select("guild_id")
    .where("channel_id", "=", channelId)
    .orderBy("guild_id")
    .execute();
  const [only, another] = links.map((link) => link.guild_id);
  if (only === undefined) throw new AppError("not_linked", `No server is linked to ${channelId}.`);
  if (another === undefined) return only;
  const ids = links.map((link) => link.guild_id).join(", ");
  throw new AppError(
    "invalid_input",
    `Several servers are linked to ${channelId}. Choose one with --server: ${ids}.`,
  );
}

function describe(
  {
    events,
    notEvaluated,
    rules,
    names,
    bodies,
    withoutHit,
    elsewhere,
    coverage,
    past,
    tookMs,
    tooSlow,
  }: Rehearsal,
  channelId: string,
  days: number,
): string {
  const lines = [
    `${events} events of the last ${days} days in ${channelId}, in ${(tookMs / 1000).toFixed(1)} s; ${notEvaluated} by exempt or unknown authors.`,
    ...coverage.map(describeCoverage),
    ...past.filter(({ isListing }) => !isListing).map(describePast),
    ...rules.flatMap((outcome) => describeOutcome(outcome, { names, bodies })),
    ...(tooSlow.length > 0 ? [`Too slow, would be turned off: ${tooSlow.join(", ")}.`] : []),
    ...(elsewhere.length > 0
      ? [`Not rehearsed, because they are limited to other channels: ${elsewhere.join(", ")}.`]
      : []),
    ...(withoutHit.length > 0 ? [`Other rules without a match: ${withoutHit.join(", ")}`] : []),
    rehearsalNote,
  ];
  return `${lines.join("\n")}\n`;
}

function describeCoverage({ casts, beforeLink, from, linkedAt, missing }: ChannelCoverage): string {
  const link = linkedAt === null ? "the link" : `the link (${toDate(linkedAt)})`;
  const since = from === null ? "" : ` since ${toDate(from)}`;
  const earlier = beforeLink > 0 ? `; ${beforeLink} of them from before ${link}` : "";
  const why = {
    fetching: ` Casts from before ${link} are still being fetched from the network: older ones are missing.`,
    not_kept: " Older texts are not stored.",
  };
  return `${casts} casts${since}${earlier}.${missing === null ? "" : why[missing]}`;
}

function toDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function describePast({ known, left, knownFrom }: Rehearsal["past"][number]): string {
  return `Replies reach back to casts since ${toDate(knownFrom)} (${known} of ${known + left} older casts): replies in older threads may be missing.`;
}

function describeOutcome(
  { ruleId, mode, counts, unknown, keptBack, samples }: RuleOutcome,
  { names, bodies }: Pick<Rehearsal, "names" | "bodies">,
): string[] {
  const changes = (["newly", "no_longer", "same"] as const).filter((change) => counts[change] > 0);
  const numbers = changes.map((change) => `${counts[change]} ${changeWords[change]}`);
  if (unknown > 0) numbers.push(`${unknown} could not tell`);
  if (numbers.length === 0) numbers.push("no hit");
  if (keptBack > 0) numbers.push(`${keptBack} stopped by its limits`);
  return [
    `${ruleId} (${mode ?? "gone"}): ${numbers.join(", ")}`,
    ...changes.flatMap((change) =>
      samples[change].map(({ eventId, castHash, authorFid, text }) => {
        const body = bodies.get(castHash ?? "");
        const shown = body ? castLine(body, names, 100) : text?.slice(0, 100);
        const said = shown === undefined ? "" : ` ${JSON.stringify(shown)}`;
        return `  ${changeWords[change]}: ${eventId === null ? castHash : showNumber("event", eventId)} by ${describeAuthor(authorFid, names)}${said}`;
      }),
    ),
  ];
}

function describeAuthor(fid: number | null, names: Rehearsal["names"]): string {
  const name = fid === null ? undefined : names.get(fid);
  return `${name === undefined ? "" : `@${name}, `}fid ${fid ?? "unknown"}`;
}
