import { inviteCallLimit } from "../src/contract/membership.ts";
import { holderOf, readBotProcesses, shardOf } from "../src/discord/bot-processes.ts";
import { answer } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { AppError } from "../src/errors.ts";
import { countUnshown } from "../src/feed/deliver/unshown.ts";
import { listFeeds, type RoomQueueState } from "../src/feed/feeds.ts";
import { countRefusedCalls, describeRefusedCalls } from "../src/feed/refused-calls.ts";
import { describeSharedToken, findSharedToken } from "../src/feed/shared-token.ts";
import { discordLimits } from "../src/limits/discord-limits.ts";
import { authorizeOverview } from "../src/moderation/authorize-server.ts";
import { lookAgainSoon } from "../src/moderation/become-moderator.ts";
import { findChannel } from "../src/moderation/find-target.ts";
import {
  botModerates,
  describeOnboarding,
  listLinks,
  noteBotRole,
  notLinked,
  type Link,
} from "../src/moderation/channel-links.ts";
import { maxSingleReads, readChannels } from "../src/moderation/staff.ts";
import { countInviteCalls, countOpenCases } from "../src/moderation/cases/case.ts";
import { findBadStanding, readKeyRow } from "../src/observe/live/bot-key.ts";
import { readLiveStatus } from "../src/observe/live/live-status.ts";
import { describeList } from "../src/rules/links/describe-lists.ts";
import { readListRows } from "../src/rules/links/stored-lists.ts";
import { countHidden, hidNothing, listLockdowns } from "../src/rules/limits/lockdown.ts";
import { countUnknown } from "../src/rules/limits/report-unknown.ts";
import { findSlowRules } from "../src/rules/limits/slow-rules.ts";
import { readBacklog } from "../src/rules/pending/pending.ts";
import { countOpenItems } from "../src/reviews/review-items.ts";
import { findRules } from "../src/rules/versions/rules-of-server.ts";
import { amount } from "../src/text/amount.ts";
import { describeHiddenByLockdown } from "../src/text/hidden-by-lockdown.ts";
import { textView } from "../src/discord/view.ts";
import { describeTime, escapeText, fitLinesOrCount, inlineCode } from "../src/text/message-text.ts";
import { describeSilentMention } from "./feed/describe-feed.ts";
import { describeCalls } from "./shared/describe-calls.ts";
import { describeClock } from "./shared/describe-clock.ts";
import { describeSources } from "./shared/describe-sources.ts";
import { linkConsole } from "./shared/link-console.ts";
import { describePauses } from "./shared/describe-pauses.ts";
import { channelOption, readChannelId } from "./shared/options.ts";
import { isFine, summarize } from "./shared/summarize-status.ts";
import { showChannel } from "./shared/show-channel.ts";

export const status = answer({
  description: "What works, and what needs fixing; or a channel as the network shows it now",
  needs: { any: ["unlink", "view"] },
  options: { channel: { ...channelOption, description: "Only this channel: its people, pin and numbers" } },
  async run(context, { channel }) {
    if (channel !== undefined) return showChannel(context, readChannelId(channel));
    const found = await listLinks(context, context.actor.guildId);
    if (found.length === 0) throw notLinked();
    await authorizeOverview(context, context.actor);
    const answers = await askForChannels(context, found);
    const links = await listLinks(context, context.actor.guildId);
    const unmoderated = links.filter((link) => link.botRoleLostAtMs !== null);
    await lookAgainSoon(
      context,
      unmoderated.map((link) => link.channelId),
    );
    const watched = new Set(links.map((link) => link.channelId));
    const { live } = context;
    const calls = live && (await readLiveStatus({ ...context, live }));
    const sections = [
      ...(await describeBot(context)),
      { name: "Channels", value: await describeLinks(context, links, answers) },
      { name: "Watching", value: await describeSources(context, watched, calls) },
      ...(calls ? [{ name: "Calls", value: describeCalls(calls) }] : []),
      { name: "Rules", value: await describeRules(context) },
      ...(await describeLinkLists(context)),
      { name: "Rooms", value: await describeRooms(context) },
      { name: "Cases", value: await describeOpenCases(context) },
      ...describeClock(context),
      ...describeStorage(context),
      ...(await describeQueues(context)),
    ];
    const fields = sections.map(({ name, value }) => ({
      name,
      value: fitLinesOrCount(value.split("\n"), discordLimits.fieldValue),
    }));
    const lines = [...summarize(sections), ...linkConsole(context)];
    return textView(isFine(sections) ? "good" : "warning", lines, { title: "Status", fields });
  },
});

/** Empty while one process answers, nobody else uses the bot's token, and Discord refuses few calls. */
async function describeBot(context: CommandContext): Promise<{ name: string; value: string }[]> {
  const shared = await findSharedToken(context);
  const refused = describeRefusedCalls(await countRefusedCalls(context));
  const lines = [
    ...(await describeKey(context)),
    ...(await describeProcesses(context)),
    ...(shared ? [`**It ${describeSharedToken(shared, context.clock.now())}**`] : []),
    ...(refused === undefined ? [] : [`**${refused}**`]),
  ];
  return lines.length === 0 ? [] : [{ name: "Bot", value: lines.join("\n") }];
}

/** Names processes by id, because the names of machines are the operator's. */
async function describeProcesses({ database, actor }: CommandContext): Promise<string[]> {
  const present = await readBotProcesses(database);
  const shard = shardOf(actor.guildId, present[0]?.shardCount ?? 1);
  const holder = holderOf(present, shard);
  const others = present.length - 1;
  if (!holder || others === 0) return [];
  const standby = others === 1 ? "another" : `${others} others`;
  return [
    `Process \`${holder.process.slice(0, 8)}\` answers this server (shard ${shard}); ${standby} can take over.`,
  ];
}

/** Empty if the queues' Redis is healthy, or not used. */
async function describeQueues({ queueFaults }: CommandContext): Promise<{ name: string; value: string }[]> {
  const faults = (await queueFaults?.()) ?? [];
  return faults.length === 0
    ? []
    : [{ name: "Queues", value: faults.map((fault) => `**${fault}**`).join("\n") }];
}

/** Empty if the network accepts the bot's key and it does not expire soon. */
async function describeKey({ database, live }: CommandContext): Promise<string[]> {
  const row = live?.key && (await readKeyRow({ database }, live.key.name));
  const bad = findBadStanding(row);
  const operator = "Only Castellan's operator can fix this. `castellan doctor` has the details.";
  return [
    ...(row && row.refused_at_ms !== null
      ? [
          `**The network refuses Castellan's key** since ${describeTime(row.refused_at_ms / 1000, "f")}, so Castellan cannot act on Farcaster. The network's answer: ${inlineCode(row.refusal ?? "", 200)} ${operator}`,
        ]
      : []),
    ...(bad ? [`**Castellan's key ${escapeText(bad.message, 300)}** ${operator}`] : []),
  ];
}

function describeStorage({ database }: CommandContext): { name: string; value: string }[] {
  const trouble = database.trouble();
  return trouble === undefined ? [] : [{ name: "Storage", value: `**${trouble}**` }];
}

type NetworkAnswer = "known" | "gone" | "silent";

/**
 * Reads each channel from the network now, because the user wants to know whether it exists and whether its owner has given the bot
 * its role. A failure does not keep the others from being shown. With a call budget and many channels, the workers' stored
 * state is used.
 */
async function askForChannels(
  context: CommandContext,
  links: readonly Link[],
): Promise<Map<string, NetworkAnswer>> {
  const answers = new Map<string, NetworkAnswer>();
  if (context.live && links.length > maxSingleReads) return answers;
  const ids = links.map(({ channelId }) => channelId);
  const channels = await readChannels(context, ids, (channelId) => findChannel(context, channelId));
  for (const { channelId, botRoleLostAtMs } of links) {
    const channel = channels.get(channelId);
    if (channel instanceof AppError) {
      context.log.warn({ err: channel, channelId }, "/status could not read a channel");
      answers.set(channelId, "silent");
      continue;
    }
    if (channel && botModerates(context.botFid, channel) !== (botRoleLostAtMs === null)) {
      await noteBotRole(context, channel);
    }
    answers.set(channelId, channel ? "known" : "gone");
  }
  return answers;
}

async function describeLinks(
  context: CommandContext,
  links: readonly Link[],
  answers: ReadonlyMap<string, NetworkAnswer>,
): Promise<string> {
  const used = await countInviteCalls(
    context,
    links.map(({ channelId }) => channelId),
  );
  const lines = links.map(
    (link) =>
      `/${link.channelId}: ${describeTrouble(context, link, answers.get(link.channelId))} · permissions read ${describeTime(link.verifiedAtMs / 1000)} · invite calls ${used.get(link.channelId) ?? 0} of ${inviteCallLimit}`,
  );
  return lines.join("\n");
}

function describeTrouble({ botFid }: CommandContext, link: Link, answer: NetworkAnswer | undefined): string {
  if (link.suspendedAtMs !== null) {
    return `**suspended ${describeTime(link.suspendedAtMs / 1000)}**: ${link.suspendedReason} /setup link renews it, /setup unlink ends it.`;
  }
  if (answer === "gone")
    return "**gone**: the network no longer knows it. To remove the link, use /setup unlink.";
  if (answer === "silent") return "**the network does not answer** about it at the moment";
  if (link.botRoleLostAtMs === null) return "fine";
  return `**Castellan has not moderated it** since ${describeTime(link.botRoleLostAtMs / 1000, "f")}: ${describeOnboarding(botFid, link.onboardingStage, link.onboardingError)} Rules pause.`;
}

async function describeRooms(context: CommandContext): Promise<string> {
  const feeds = await listFeeds(context, context.actor.guildId);
  const rooms = new Map(
    feeds.flatMap(({ roomId, roomQueue, ended }) => (ended ? [] : [[roomId, roomQueue]])),
  );
  const ended = feeds.flatMap(({ id, roomId, ended }) =>
    ended ? [`<#${roomId}>: feed ${id} **ended** ${describeTime(ended.atMs / 1000)}: ${ended.reason}`] : [],
  );
  const unshown = await countUnshown(context.database, context.actor.guildId);
  const lines = [...rooms].map(([roomId, roomQueue]) => {
    const count = unshown.get(roomId) ?? 0;
    const lost =
      count === 0
        ? ""
        : `, **${amount(count, "event")} could not be shown** (the program's log has the cause)`;
    return `<#${roomId}>: ${describeRoom(context, roomId, roomQueue)}${lost}`;
  });
  const silent = [...rooms].flatMap(([roomId, { mentionRole }]) =>
    describeSilentMention(context, roomId, mentionRole).map((words) => `<#${roomId}>: ${words}`),
  );
  return [...lines, ...silent, ...ended].join("\n") || "No room has a feed yet. Add one with /feed add.";
}

function describeRoom(
  context: CommandContext,
  roomId: string,
  { waiting, blocked, parked, pausedSinceMs, error }: RoomQueueState,
): string {
  const access = context.roomAccess(roomId);
  const lacks =
    access && access.botLacks.length > 0 ? `**Castellan lacks ${access.botLacks.join(", ")}**` : undefined;
  if (pausedSinceMs !== null) {
    const why = lacks ?? error ?? "the room is gone";
    return `**paused** ${describeTime(pausedSinceMs / 1000)}: ${why}`;
  }
  return [
    `${waiting} waiting`,
    ...(blocked > 0 ? [`**${blocked} blocked by AutoMod**, tried again`] : []),
    parked > 0 ? `**${parked} refused**` : "0 refused",
    ...(lacks === undefined ? [] : [lacks]),
  ].join(", ");
}

async function describeRules(context: CommandContext): Promise<string> {
  const { database, actor } = context;
  const rules = await findRules(context, actor.guildId);
  const slow = rules ? [...(await findSlowRules(context, actor.guildId, rules)).keys()] : [];
  const held = await countOpenItems(database.query, actor.guildId);
  const { waiting, oldestMs, putAside } = await readBacklog(database, actor.guildId);
  return [
    ...(rules?.unreadable
      ? [
          `**No rules are running**: version ${rules.version} can no longer be read. See /rule show for the reason.`,
        ]
      : []),
    ...(slow.length > 0
      ? [
          `**${amount(slow.length, "rule")} too slow, so turned off**: ${slow.slice(0, 5).join(", ")}${slow.length > 5 ? ", …" : ""}. /rule show lists them.`,
        ]
      : []),
    ...(await describePauses(context)),
    ...(await describeLockdowns(context)),
    ...(await describeUnknown(context)),
    held === 0 ? "Nothing is waiting for a decision." : `**${held} held for a decision**. See /review show.`,
    oldestMs === null
      ? "All events are evaluated."
      : `${emphasizeOld(context, `${amount(waiting, "event")} not evaluated yet`, oldestMs)}, the oldest from ${describeTime(oldestMs / 1000)}.`,
    ...(putAside === 0
      ? []
      : [`**${amount(putAside, "event")} could not be evaluated**. The program's log has the cause.`]),
  ].join("\n");
}

/** Empty if the operator has configured no list. */
async function describeLinkLists({ database }: CommandContext): Promise<{ name: string; value: string }[]> {
  const lists = await readListRows(database.query);
  return lists.length === 0 ? [] : [{ name: "Link lists", value: lists.map(describeList).join("\n") }];
}

async function describeLockdowns({ database, actor }: CommandContext): Promise<string[]> {
  const running = await listLockdowns(database.query, actor.guildId);
  const hidden = await countHidden(database.query, running);
  return running.map(({ channel_id, begun_by, until_ms }) => {
    const end = describeTime(until_ms / 1000, "f");
    const found = describeHiddenByLockdown(hidden.get(channel_id) ?? hidNothing);
    return `/${channel_id}: **locked down** by <@${begun_by}> until ${end}; /lockdown end:True ends it sooner. ${found}`;
  });
}

/** How often rules did nothing because the network could not be asked or did not answer. */
async function describeUnknown({ database, clock, actor }: CommandContext): Promise<string[]> {
  const unknown = await countUnknown(database.query, clock, actor.guildId);
  return unknown
    .slice(0, 5)
    .map(
      ({ ruleId, events }) =>
        `**${ruleId} could not tell** whether it applies to ${amount(events, "event")} within a day, so it did nothing. /rule show says why.`,
    );
}

async function describeOpenCases(context: CommandContext): Promise<string> {
  const { open, oldestMs } = await countOpenCases(context.database.query, context.actor.guildId);
  if (oldestMs === null) return "All are settled.";
  const words = emphasizeOld(context, `${open} not settled`, oldestMs);
  return `${words}, the oldest from ${describeTime(oldestMs / 1000)}.`;
}

/** Work is done within minutes, so what is older needs attention. In milliseconds. */
const usualWork = 10 * 60_000;

function emphasizeOld({ clock }: CommandContext, words: string, sinceMs: number): string {
  return clock.now() - sinceMs > usualWork ? `**${words}**` : words;
}
