import { evaluate } from "../../src/rules/evaluate/evaluate.ts";
import { channelNames } from "../../src/rules/facts/channel-names.ts";
import { castsUpTo } from "../../src/rules/conditions/author-casts.ts";
import { renamings } from "../../src/rules/conditions/author-renamed.ts";
import { copies } from "../../src/rules/conditions/duplicate.ts";
import { following, membership, restriction } from "../../src/rules/conditions/author-in-channel.ts";
import { eventCount } from "../../src/rules/conditions/event-counts.ts";
import { channelLink } from "../../src/rules/conditions/links-look-alike.ts";
import { castsWithin } from "../../src/rules/conditions/matching-casts.ts";
import { linksOnLists } from "../../src/rules/conditions/links-known-bad.ts";
import { authorsOfAddress } from "../../src/rules/conditions/same-address.ts";
import { peopleAnswered } from "../../src/rules/conditions/same-reply.ts";
import type { CompiledRules } from "../../src/rules/evaluate/rule-set.ts";
import { starterRules } from "../../src/rules/starter/starter-rules.ts";
import { lookAlikeKeys } from "../../src/text/skeleton.ts";
import type { Labelled } from "./corpus.ts";
import { castCreated, castHash, factsOf, known, nameTaken, ruleSetOf } from "./rules.ts";

let rules: CompiledRules | undefined;
const readRules = () => ruleSetOf(...starterRules.map(({ entry }) => ({ ...entry, mode: "enforce" })));

const holders = (...names: string[]) => ({
  holders: new Map(
    names.flatMap((name, index) => [...lookAlikeKeys(name)].map((key) => [key, [index + 1]] as const)),
  ),
  missing: undefined,
});

/** Ids of the starter rules that fire on something labelled. */
export function firedBy(kind: "cast" | "name", { text, member, times, rate, embeds }: Labelled): string[] {
  const facts = factsOf(
    known(membership, member),
    known(channelLink, null),
    known(linksOnLists, { found: undefined, missing: undefined }),
    known(following, true),
    known(restriction, false),
    known(copies(3600, "author"), times),
    // An account that casts here as others do: only what it writes is labelled.
    known(castsUpTo, 20),
    known(authorsOfAddress(600, "address"), 1),
    known(peopleAnswered(3600), 0),
    known(renamings(86_400), 0),
    known(eventCount("cast.created", 120, "author"), rate),
    known(castsWithin(300, "author"), []),
    known(eventCount("cast.created", 30 * 86_400, "author"), rate),
    known(eventCount("record.hidden", 30 * 86_400, "author"), 0),
    known(eventCount("invite.created", 30 * 86_400, "author"), 0),
    known(channelNames("owner"), holders("memeking")),
    known(channelNames("moderators"), holders("pixelqueen", "mod-lena")),
  );
  const cast = { hash: castHash, embeds, threadDepth: 0, mentions: 0 };
  const occurrence = kind === "cast" ? castCreated(text, { cast }) : nameTaken(text);
  const evaluation = evaluate((rules ??= readRules()), occurrence, facts, 99);
  if (!evaluation.asked) throw new Error(evaluation.why);
  const fired = evaluation.verdicts.map(({ rule: { id }, truth }) => (truth === true ? id : `${id}?`));
  return fired.filter((id) => id !== "invite-regulars");
}
