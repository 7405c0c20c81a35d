import { discordLimits } from "../../limits/discord-limits.ts";
import type { AnnouncedEvent } from "../feed-kinds.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";
import { leaderOf, renderGroup } from "./post-group.ts";
import type { Lookups } from "./lookups.ts";
import { buttonsOf } from "./post-buttons.ts";
import { renderForReaders } from "./readers.ts";
import { reviewButtons } from "./review.ts";

/** The post of one group. */
export interface Post {
  embed: RoomEmbed;
  buttons: RoomButton[];
  /** It gets a separate message, because it will be edited. Then its buttons are in these rows. */
  alone: boolean;
  rows?: RoomButton[][];
}

/** `group`: an event with its followers. */
export function renderPost(group: readonly AnnouncedEvent[], lookups: Lookups): Post {
  if (lookups.forReaders) return { embed: renderForReaders(group, lookups), buttons: [], alone: false };
  const embed = renderGroup(group, lookups);
  const leader = leaderOf(group);
  if (leader.kind !== "review.held") return { embed, buttons: buttonsOf(group, lookups), alone: false };
  const review = lookups.reviews.get(leader.data.itemId);
  const rows = review ? reviewButtons(review, lookups.texts) : [];
  return { embed, buttons: rows.flat(), alone: true, rows };
}

/** As many as one message can hold, at least one. */
export function fitPosts(posts: readonly Post[]): Post[] {
  let characters = 0;
  let rows = 0;
  const end = posts.findIndex(({ embed, buttons, alone }, index) => {
    characters += lengthOf(embed);
    rows += buttons.length > 0 ? 1 : 0;
    const isOver =
      characters > discordLimits.embedTexts ||
      rows > discordLimits.buttonRows ||
      index >= discordLimits.embeds;
    return index > 0 && (isOver || alone || posts[0]?.alone);
  });
  return posts.slice(0, end === -1 ? posts.length : end);
}

function lengthOf({ title, description, footer, fields }: RoomEmbed): number {
  const texts = [title, description, footer, ...(fields ?? []).flatMap(({ name, value }) => [name, value])];
  return texts.reduce((total, text) => total + (text?.length ?? 0), 0);
}

const marks = ["①", "②", "③", "④", "⑤"];

/** A message of these posts. If several have buttons, a mark shows which buttons belong to which post. */
export function layOut(posts: readonly Post[]): { embeds: RoomEmbed[]; buttons: RoomButton[][] } {
  const [only, another] = posts;
  if (only && !another) {
    const own = only.rows ?? [only.buttons];
    return { embeds: [only.embed], buttons: own.filter((row) => row.length > 0) };
  }
  const embeds: RoomEmbed[] = [];
  const rows: RoomButton[][] = [];
  for (const { embed, buttons } of posts) {
    const mark = buttons.length > 0 ? marks[rows.length] : undefined;
    embeds.push(mark === undefined ? embed : { ...embed, title: `${mark} ${embed.title ?? ""}` });
    if (mark === undefined) continue;
    const row = String(rows.length);
    rows.push(
      buttons.map(({ customId, label, style }) => {
        // Discord refuses a message with two buttons of the same id; no command has an option with this name.
        return { customId: `${customId}:_=${row}`, label: `${mark} ${label}`, style };
      }),
    );
  }
  return { embeds, buttons: rows };
}
