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
  const numbers = told.map(({ title, footer }) => ({
    number: Number(footer?.text.slice(2)),
    rank: rankOfTitle(title),
  }));
  const names = told.flatMap(({ title }) => /^Name (\w+): (\w+)$/.exec(title)?.slice(1).join(" ") ?? []);
  return [
    {
      title: "every name proof is in the feed once and in order",
      looked: proofs.length,
      faults: differences(
        proofs.map(({ name, fid }) => `${fid === 0 ? "released" : "registered"} ${name}`),
        names,
      ),
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
        return own.flatMap(({ number }, index) => {
          const before = own[index - 1]?.number ?? 0;
          return number > before ? [] : [`E-${before} before E-${number}`];
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
function unmarked(title: string): string {
  return title.replace(/^[①-⑤] /, "");
}

/** What matters may overtake names, and pins: the rest keeps its order. */
function rankOfTitle(title: string): number {
  if (/^(Name|Cast in|Reply in|Cast removed)/.test(title)) return 2;
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

const actions: Record<string, string> = { "Cast hidden in": "hide", "Cast shown again in": "unhide" };

/** A record as the room tells it: what, which cast, when; with a complaint where the wrong one is named as its maker. */
function readRecord({ title, description, timestamp }: Embed): string[] {
  const action = actions[/^Cast (hidden|shown again) in/.exec(title)?.[0] ?? ""];
  if (action === undefined) return [];
  const text = /```\n(.*)\n```/.exec(description)?.[1] ?? description;
  const moderator = moderators.find((name) => text.startsWith(name));
  const maker = moderator ? `by <@${userOf(moderator)}>` : "not through Castellan";
  const complaint = description.includes(maker) ? "" : ` (${maker} is missing: ${description})`;
  return [`${action} ${text} ${Date.parse(timestamp ?? "") / 1000}${complaint}`];
}

const texts = new Map(
  Object.values(casts)
    .flat()
    .map(({ hash, text }) => [hash, text]),
);

function nameCast(hash: string): string {
  return texts.get(hash) ?? hash;
}
