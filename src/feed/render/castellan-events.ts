import { showUser } from "../../text/show-doer.ts";
import type { KeyTrouble, LinkChange } from "../../observe/events.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import { describeHiddenByLockdown } from "../../text/hidden-by-lockdown.ts";
import { amount } from "../../text/amount.ts";
import { colors } from "../../text/colors.ts";
import { describeTime, escapeText, inlineCode, nameSome } from "../../text/message-text.ts";
import { describeBulk } from "./bulk.ts";
import { describeReview } from "./review.ts";
import { describeHits } from "./rule-hits.ts";
import { about, actor, channel, lines, person, reason, when, type Renderers } from "./phrases.ts";
import type { EventCase } from "./lookups.ts";
import { showNumber } from "../../text/numbered.ts";

/** Castellan's own events: its cases and links, and its rules' actions, reviews and problems. */
export const castellanRenderers: Renderers<
  | "case.settled"
  | "bulk.begun"
  | "gap.found"
  | "link.changed"
  | "rule.hit"
  | "rule.alert"
  | "rule.tripped"
  | "rules.slow"
  | "rules.unreadable"
  | "rules.changed"
  | "strike.added"
  | "review.held"
  | "review.waiting"
  | "review.escalated"
  | "automod.changed"
  | "setup.changed"
  | "lockdown.changed"
  | "key.trouble"
  | "webhook.failing"
> = {
  "case.settled": (event, lookups) => ({
    title: `Case ${showNumber("case", event.data.number)}: ${spaced(event.data.kind)} ${spaced(event.data.state)}`,
    description: lines(
      `${about(lookups, event.subjectFid)}${channel(lookups, event)} · ${actor(lookups, event)} · ${when(event)}`,
      event.data.kind === "change_expiry" ? describeNewEnd(lookups.cases.get(event.id)) : [],
      reason(lookups, event),
    ),
    color: event.data.state === "failed" ? colors.bad : colors.plain,
  }),
  "bulk.begun": (event, lookups) => {
    const bulk = lookups.bulks.get(event.data.bulkId);
    return bulk
      ? describeBulk(bulk)
      : {
          title: "A bulk",
          description: "It has since been deleted, or this room no longer follows its channels.",
          color: colors.muted,
        };
  },
  "gap.found": (event) => ({
    title: "Events may be missing",
    description: lines(
      `Between ${describeTime(event.data.from, "f")} and ${describeTime(event.data.until, "f")} Castellan could not follow the hub (${escapeText(event.data.source)}).`,
      "Members, bans, invites and restrictions are being read again. Casts and names from that time may be missing, and so may replies to such casts.",
    ),
    color: colors.bad,
  }),
  "link.changed": (event, lookups) => ({
    title: `${linkChanges[event.data.change]}: ${channel(lookups, event)}`,
    description: [escapeText(event.data.reason, 600), when(event)].filter(Boolean).join(" · "),
    color: goodChanges.includes(event.data.change) ? colors.good : colors.bad,
  }),

  "rule.hit": (event, lookups) => describeHits([event], lookups),
  "rule.alert": (event, lookups) => ({
    title: `${escapeText(event.data.ruleId, 64)} · ${channel(lookups, event)}`,
    description: lines(
      escapeText(event.data.text, 1000),
      `${about(lookups, event.subjectFid)}${when(event)}`,
    ),
    color: colors.warning,
  }),
  "rule.tripped": (event) => ({
    title: `Rule ${escapeText(event.data.ruleId, 64)} acted too often`,
    description: lines(
      `${event.data.acted} times within ${Math.round(event.data.perSeconds / 60)} min, which is its limit. It is now in mode ${event.data.mode} and no longer acts automatically.`,
      `Check its actions (/rule show), then let it act again with /rule mode · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.slow": (event) => ({
    title: `${amount(event.data.ruleIds.length, "rule")} took too long and ${event.data.ruleIds.length === 1 ? "is" : "are"} off`,
    description: lines(
      nameSome(event.data.ruleIds, maxNamed, (id) => inlineCode(id, 64)),
      `Patterns with nested repetition are slow. Use fewer or simpler patterns (/rule edit), try them with /rule test, and turn the rule on again with /rule mode · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.unreadable": (event, lookups) => ({
    title: `No rule acts in ${channel(lookups, event)}: the rules can no longer be read`,
    description: lines(
      `Version ${event.data.version} was activated by another version of Castellan. This version finds mistakes in it:`,
      event.data.mistakes.map((mistake) => inlineCode(mistake, 200)),
      `/rule show attaches the file: fix it, and upload it with /rule import · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.changed": (event) => {
    const { version, change, userId, added, removed, changed } = event.data;
    return {
      title: `The rules were changed: version ${version} is in force`,
      description: lines(
        `${inlineCode(change, 100)} by ${showUser(userId)} · ${when(event)}`,
        ...section(
          "New",
          added.map(({ id, mode }) => `${inlineCode(id, 40)} (${mode})`),
        ),
        ...section(
          "Gone",
          removed.map((id) => inlineCode(id, 40)),
        ),
        ...section("Changed", changed.map(describeRuleChange)),
        "/rule show history:true lists the versions, /rule rollback restores an earlier one.",
      ),
      color: colors.warning,
    };
  },
  "strike.added": (event, lookups) => ({
    title: `${amount(event.data.points, "strike point")} in ${channel(lookups, event)}`,
    description: `${person(lookups, event.subjectFid)} has ${event.data.total} now · by ${giver(event.data)} · ${when(event)}`,
    color: colors.muted,
  }),
  "review.held": (event, lookups) => {
    const item = lookups.reviews.get(event.data.itemId);
    if (item) return describeReview(item, lookups.linkBase);
    const title = `Review ${showNumber("review", event.data.itemId)}`;
    return { title, description: "It has since been deleted.", color: colors.muted };
  },
  "review.waiting": (event, lookups) => ({
    title: `${amount(event.data.items.length, "review")} waiting for a decision: ${channel(lookups, event)}`,
    description: lines(
      event.data.items
        .slice(0, 10)
        .map(({ id, queue }) => `${showNumber("review", id)} ${inlineCode(queue, 40)}`)
        .join(", "),
      `The oldest arrived ${describeTime(event.data.oldestAt)}. Use /review show to see them.`,
    ),
    color: colors.warning,
  }),
  "setup.changed": (event, lookups) => ({
    title: `Setup changed${event.channelId === null ? "" : `: ${channel(lookups, event)}`}`,
    description: `${event.data.what} · by ${showUser(event.data.userId)} · ${when(event)}`,
    color: colors.plain,
  }),
  "webhook.failing": (event) => ({
    title: `The webhook ${event.data.name} cannot be called`,
    description: lines(
      `Every call has failed since ${describeTime(event.data.since, "f")}. ${escapeText(event.data.error, 200)}`,
      "Calls are tried again for a day. /channel webhooks shows them.",
    ),
    color: colors.bad,
  }),
  "review.escalated": (event, lookups) => ({
    title: `${showNumber("review", event.data.itemId)} is left to the owner: ${channel(lookups, event)}`,
    description: lines(
      `Queue ${inlineCode(event.data.queue, 40)} · by <@${event.data.userId}> · ${when(event)}`,
      `The channel's owner or a member with Manage Server here decides: /review show ${showNumber("review", event.data.itemId)}`,
    ),
    color: colors.warning,
  }),
  "lockdown.changed": (event, lookups) => {
    const { begun, userId, reason: why, until, hidden: casts, inDoubt = 0 } = event.data;
    const who = userId === null ? "It expired" : `By <@${userId}>`;
    return {
      title: `${begun ? "Locked down" : "No longer locked down"}: ${channel(lookups, event)}`,
      description: lines(
        `${who} · ${when(event)}`,
        begun && until !== null
          ? `Until ${describeTime(until, "f")} casts of people who are not members are hidden. /lockdown end ends it sooner.`
          : describeHiddenByLockdown({ casts, inDoubt }),
        why === "" ? [] : `Reason: ${escapeText(why)}`,
      ),
      color: begun ? colors.bad : colors.good,
    };
  },
  "key.trouble": (event) => {
    const { trouble, message } = event.data;
    return {
      title: keyTroubles[trouble],
      description: lines(
        trouble === "refused"
          ? `It answers: ${inlineCode(message, 200)}`
          : `The key ${escapeText(message, 300)}`,
        `${trouble === "ends_soon" ? "Until then Castellan acts as usual." : "In the meantime Castellan cannot act on Farcaster."} Its operator can run ${inlineCode("castellan doctor")} for details · ${when(event)}`,
      ),
      color: trouble === "ends_soon" ? colors.warning : colors.bad,
    };
  },
  "automod.changed": (event, lookups) => ({
    title: `Rules ${event.data.paused ? "paused" : "resumed"} in ${channel(lookups, event)}`,
    description: lines(
      `By <@${event.data.userId}> · ${when(event)}`,
      event.data.until === null ? [] : `Until ${describeTime(event.data.until, "f")}.`,
      event.data.reason === "" ? [] : `Reason: ${escapeText(event.data.reason)}`,
      event.data.stopsLockdown ? lockdownStopped : [],
    ),
    color: event.data.paused ? colors.warning : colors.good,
  }),
};

export const lockdownStopped = "⚠️ The lockdown of this channel hides nothing meanwhile.";

function giver({ ruleId, userId }: { ruleId: string | null; userId?: string }): string {
  return ruleId === null ? `<@${userId ?? ""}>` : `rule ${inlineCode(ruleId, 64)}`;
}

const keyTroubles: Record<KeyTrouble, string> = {
  refused: "The network refuses Castellan's key",
  ends_soon: "Castellan's key expires soon",
  ended: "Castellan's key has expired",
  powerless: "Castellan's key has no scopes",
  gone: "Castellan's key is gone",
};

const linkChanges: Record<LinkChange, string> = {
  suspended: "Link suspended",
  restored: "Link restored",
  bot_role_lost: "Castellan is no longer a moderator",
  bot_role_back: "Castellan is a moderator now",
  staff_proven: "Rights proven",
  staff_withdrawn: "Rights no longer proven",
};
const goodChanges: readonly LinkChange[] = ["restored", "bot_role_back", "staff_proven"];

/** In Castellan's words, with Discord timestamps. */
function describeNewEnd(found: EventCase | undefined): string[] {
  const outcome = found ? describeOutcome(found) : null;
  return outcome === null ? [] : [outcome];
}

const maxNamed = 10;

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}: ${nameSome(entries, maxNamed)}`];
}

function describeRuleChange({ id, before, after }: { id: string; before: string; after: string }): string {
  return `${inlineCode(id, 40)} (${before === after ? after : `${before} → ${after}`})`;
}

/** An internal name with spaces. */
function spaced(name: string): string {
  return escapeText(name.replaceAll("_", " "));
}
