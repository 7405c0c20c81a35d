import { showUser } from "../../text/show-doer.ts";
import { findText } from "../../languages/languages.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import type { LinkChange } from "../../observe/events.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import { capitalize } from "../../text/capitalize.ts";
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
    title: lookups.texts.cases.title(
      showNumber("case", event.data.number),
      findText(lookups.texts.cases.kinds, event.data.kind) ?? spaced(event.data.kind),
      findText(lookups.texts.cases.states, event.data.state) ?? spaced(event.data.state),
    ),
    description: lines(
      `${about(lookups, event.subjectFid)}${channel(lookups, event)} · ${actor(lookups, event)} · ${when(event)}`,
      event.data.kind === "change_expiry" ? describeNewEnd(lookups.cases.get(event.id), lookups.texts) : [],
      reason(lookups, event),
    ),
    color: event.data.state === "failed" ? colors.bad : colors.plain,
  }),
  "bulk.begun": (event, lookups) => {
    const bulk = lookups.bulks.get(event.data.bulkId);
    return bulk
      ? describeBulk(bulk, lookups.texts)
      : {
          title: lookups.texts.bulk.gone,
          description: lookups.texts.bulk.goneWhy,
          color: colors.muted,
        };
  },
  "gap.found": ({ data }, { texts }) => ({
    title: texts.gap.title,
    description: lines(
      texts.gap.when(describeTime(data.from, "f"), describeTime(data.until, "f"), escapeText(data.source)),
      texts.gap.what,
    ),
    color: colors.bad,
  }),
  "link.changed": (event, lookups) => ({
    title: lookups.texts.links[event.data.change](channel(lookups, event)),
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
  "rule.tripped": (event, { texts: { rules } }) => ({
    title: rules.tripped(escapeText(event.data.ruleId, 64)),
    description: lines(
      rules.trippedWhy(event.data.acted, Math.round(event.data.perSeconds / 60), event.data.mode),
      `${rules.trippedNext} · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.slow": (event, { texts: { rules, andMore } }) => ({
    title: rules.slow(event.data.ruleIds.length),
    description: lines(
      nameSome(event.data.ruleIds, maxNamed, (id) => inlineCode(id, 64), andMore),
      `${rules.slowNext} · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.unreadable": (event, lookups) => ({
    title: lookups.texts.rules.unreadable(channel(lookups, event)),
    description: lines(
      lookups.texts.rules.unreadableWhy(event.data.version),
      event.data.mistakes.map((mistake) => inlineCode(mistake, 200)),
      `${lookups.texts.rules.unreadableNext} · ${when(event)}`,
    ),
    color: colors.bad,
  }),
  "rules.changed": (event, { texts }) => {
    const { version, change, userId, added, removed, changed } = event.data;
    const { rules, andMore } = texts;
    const section = (words: (named: string) => string, entries: readonly string[]) =>
      entries.length === 0 ? [] : [words(nameSome(entries, maxNamed, String, andMore))];
    return {
      title: rules.changed(version),
      description: lines(
        `${rules.changedBy(inlineCode(change, 100), showUser(userId, texts.doers))} · ${when(event)}`,
        section(
          rules.added,
          added.map(({ id, mode }) => `${inlineCode(id, 40)} (${mode})`),
        ),
        section(
          rules.removed,
          removed.map((id) => inlineCode(id, 40)),
        ),
        section(rules.modes, changed.map(describeRuleChange)),
        rules.changedNext,
      ),
      color: colors.warning,
    };
  },
  "strike.added": (event, lookups) => ({
    title: lookups.texts.strikes.title(event.data.points, channel(lookups, event)),
    description: `${lookups.texts.strikes.total(person(lookups, event.subjectFid), event.data.total)} · ${giver(event.data, lookups.texts)} · ${when(event)}`,
    color: colors.muted,
  }),
  "review.held": (event, lookups) => {
    const item = lookups.reviews.get(event.data.itemId);
    const { texts, linkBase } = lookups;
    if (item) return describeReview(item, linkBase, false, texts);
    const title = texts.review.gone(showNumber("review", event.data.itemId));
    return { title, description: texts.review.goneWhy, color: colors.muted };
  },
  "review.waiting": (event, lookups) => ({
    title: lookups.texts.review.waiting(event.data.items.length, channel(lookups, event)),
    description: lines(
      event.data.items
        .slice(0, 10)
        .map(({ id, queue }) => `${showNumber("review", id)} ${inlineCode(queue, 40)}`)
        .join(", "),
      lookups.texts.review.oldest(describeTime(event.data.oldestAt)),
    ),
    color: colors.warning,
  }),
  "setup.changed": (event, lookups) => ({
    title:
      event.channelId === null
        ? lookups.texts.setup.title
        : lookups.texts.setup.titleIn(channel(lookups, event)),
    description: `${event.data.what} · ${lookups.texts.by(showUser(event.data.userId, lookups.texts.doers))} · ${when(event)}`,
    color: colors.plain,
  }),
  "webhook.failing": ({ data }, { texts: { webhook } }) => ({
    title: webhook.title(data.name),
    description: lines(
      webhook.since(describeTime(data.since, "f"), escapeText(data.error, 200)),
      webhook.next,
    ),
    color: colors.bad,
  }),
  "review.escalated": (event, lookups) => ({
    title: lookups.texts.review.escalated(showNumber("review", event.data.itemId), channel(lookups, event)),
    description: lines(
      `${lookups.texts.review.queue(inlineCode(event.data.queue, 40))} · ${lookups.texts.by(showUser(event.data.userId, lookups.texts.doers))} · ${when(event)}`,
      lookups.texts.review.ownerDecides(showNumber("review", event.data.itemId)),
    ),
    color: colors.warning,
  }),
  "lockdown.changed": (event, lookups) => {
    const { begun, userId, reason: why, until, hidden: casts } = event.data;
    const { lockdown, by, reason, doers } = lookups.texts;
    const who = userId === null ? lockdown.expired : capitalize(by(showUser(userId, doers)));
    return {
      title: lockdown[begun ? "begun" : "over"](channel(lookups, event)),
      description: lines(
        `${who} · ${when(event)}`,
        begun && until !== null
          ? lockdown.until(describeTime(until, "f"))
          : lockdown.hid(casts, event.data.inDoubt ?? 0),
        why === "" ? [] : reason(escapeText(why)),
      ),
      color: begun ? colors.bad : colors.good,
    };
  },
  "key.trouble": (event, { texts: { key } }) => {
    const { trouble, message } = event.data;
    return {
      title: key.titles[trouble],
      description: lines(
        trouble === "refused" ? key.answers(inlineCode(message, 200)) : key.state(escapeText(message, 300)),
        `${trouble === "ends_soon" ? key.endsSoon : key.cannotAct} ${key.next(inlineCode("castellan doctor"))} · ${when(event)}`,
      ),
      color: trouble === "ends_soon" ? colors.warning : colors.bad,
    };
  },
  "automod.changed": (event, lookups) => ({
    title: lookups.texts.rules[event.data.paused ? "paused" : "resumed"](channel(lookups, event)),
    description: lines(
      `${capitalize(lookups.texts.by(showUser(event.data.userId, lookups.texts.doers)))} · ${when(event)}`,
      event.data.until === null ? [] : lookups.texts.untilTime(describeTime(event.data.until, "f")),
      event.data.reason === "" ? [] : lookups.texts.reason(escapeText(event.data.reason)),
      event.data.stopsLockdown ? lookups.texts.rules.lockdownStopped : [],
    ),
    color: event.data.paused ? colors.warning : colors.good,
  }),
};

function giver({ ruleId, userId }: { ruleId: string | null; userId?: string }, texts: PostTexts): string {
  return ruleId === null ? texts.by(`<@${userId ?? ""}>`) : texts.byRule(inlineCode(ruleId, 64));
}

const goodChanges: readonly LinkChange[] = ["restored", "bot_role_back", "staff_proven"];

/** In Castellan's words, with Discord timestamps. */
function describeNewEnd(found: EventCase | undefined, { outcomes }: PostTexts): string[] {
  const outcome = found ? describeOutcome(found, outcomes) : null;
  return outcome === null ? [] : [outcome];
}

const maxNamed = 10;

function describeRuleChange({ id, before, after }: { id: string; before: string; after: string }): string {
  return `${inlineCode(id, 40)} (${before === after ? after : `${before} → ${after}`})`;
}

/** An internal name with spaces. */
function spaced(name: string): string {
  return escapeText(name.replaceAll("_", " "));
}
