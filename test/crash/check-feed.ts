import type { CaseRow } from "../../src/moderation/cases/case.ts";
import type { ChatMessage } from "./chat.ts";
import type { Evidence } from "./evidence.ts";
import { casts, moderators, userOf } from "./town.ts";
import { differences, repeated, type Verdict } from "./verdict.ts";

/** Every proof and every record after the link is told once, in the network's order, and rightly attributed. */
export function checkFeed({ proofs, records, feed, caseFeed }: Evidence): Verdict[] {
  const told = feed.flatMap(({ embeds }) =>
    embeds.map((embed) => ({ ...embed, title: unmarked(embed.title) })),
  );
  const numbers = told.map(({ title, footer }) => {
    const [first = NaN, last = first] = (footer?.text.match(/(?<=E-)\d+/g) ?? []).map(Number);
    return { first, last, rank: rankOfTitle(title) };
  });
  const changes = proofs.map(({ name, fid }) => `${fid === 0 ? "released" : "registered"} ${name}`);
  return [
    {
      title: "every name proof is in the feed once and in order",
      looked: proofs.length,
      faults: differences(changes, readChanges(told, changes)),
    },
    {
      title: "every record is in the feed once and in order, with who made it",
      looked: records.length,
      faults: differences(
        records.map(({ castHash, action, moderatedAt }) => `${action} ${nameCast(castHash)} ${moderatedAt}`),
        told.flatMap(readRecord),
      ),
    },
    {
      title: "no event is told twice, and their numbers ascend, of each rank by itself",
      looked: numbers.length,
      faults: [0, 1, 2].flatMap((rank) => {
        const own = numbers.filter((told) => told.rank === rank);
        return own.flatMap(({ first }, index) => {
          const before = own[index - 1]?.last ?? 0;
          return first > before ? [] : [`E-${before} before E-${first}`];
        });
      }),
    },
    {
      title: "no case is told twice in the same state",
      looked: caseFeed.length,
      faults: repeated(caseFeed.flatMap(({ embeds }) => embeds.map(({ title }) => unmarked(title)))),
    },
  ];
}

/** Without the mark that tells whose buttons are whose. */
export function unmarked(title: string): string {
  return title.replace(/^[①-⑤] /, "");
}

/** Of a mass that the room could not keep up with: it is told by its number. */
function isSum(title: string): boolean {
  return /^\d+ events that came faster than they can be posted$/.test(title);
}

/** What names came to, as the room tells it; a sum tells it of as many as it counts, which are those that come next. */
export function readChanges(
  told: readonly Pick<Embed, "title" | "description">[],
  changes: readonly string[],
): string[] {
  const read: string[] = [];
  for (const { title, description } of told) {
    const change = /^Name (\w+): (\w+)$/.exec(title)?.slice(1).join(" ");
    if (change !== undefined) read.push(change);
    const summed = isSum(title) ? Number(/names: \*\*(\d+)\*\*/.exec(description)?.[1] ?? 0) : 0;
    const end = read.length + summed;
    while (read.length < end) read.push(changes[read.length] ?? "what never happened");
  }
  return read;
}

/** What matters may overtake names, and pins: the rest keeps its order. */
function rankOfTitle(title: string): number {
  if (/^(Name|Cast in|Reply in|Cast removed)/.test(title) || isSum(title)) return 2;
  return /^(Cast (?:hidden|shown)|Joined|No longer a member|Invite|Pinned|Unpinned|Case)|was edited$/.test(
    title,
  )
    ? 1
    : 0;
}

/** Every case that Castellan settled is told in the room that hears of cases. */
export function checkCaseFeed({ caseFeed }: Evidence, cases: readonly CaseRow[]): Verdict {
  const told = caseFeed
    .flatMap(({ embeds }) => embeds)
    .flatMap(({ title }) => /C-(\d+)/.exec(title)?.[1] ?? []);
  const numbers = new Set(told.map(Number));
  const own = cases.filter(({ actor_kind }) => actor_kind !== "outside");
  return {
    title: "every settled case is told",
    looked: own.length,
    faults: own.flatMap(({ number, kind }) => (numbers.has(number) ? [] : [`C-${number} ${kind}`])),
  };
}

type Embed = ChatMessage["embeds"][number];

export const actions: Record<string, string> = { "Cast hidden in": "hide", "Cast shown again in": "unhide" };

/** A record as the room tells it: what, which cast, when; with a complaint where the wrong one is named as its maker. */
export function readRecord({ title, description, timestamp }: Embed): string[] {
  const action = actions[/^Cast (hidden|shown again) in/.exec(title)?.[0] ?? ""];
  if (action === undefined) return [];
  const text = /```\n(.*)\n```/.exec(description)?.[1] ?? description;
  const moderator = moderators.find((name) => text.startsWith(name));
  const maker = moderator ? `by <@${userOf(moderator)}>` : "outside Castellan";
  const complaint = description.includes(maker) ? "" : ` (${maker} is missing: ${description})`;
  return [`${action} ${text} ${Date.parse(timestamp ?? "") / 1000}${complaint}`];
}

const texts = new Map(
  Object.values(casts)
    .flat()
    .map(({ hash, text }) => [hash, text]),
);

export function nameCast(hash: string): string {
  return texts.get(hash) ?? hash;
}
