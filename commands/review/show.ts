import { listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { readReviews, type HeldReview } from "../../src/feed/render/held-reviews.ts";
import type { RoomButton } from "../../src/feed/rooms.ts";
import { runButton } from "../../src/feed/run-button.ts";
import { describeReview, reviewButtons } from "../../src/feed/render/review.ts";
import { readRoomSettings } from "../../src/feed/room-settings.ts";
import { en } from "../../src/languages/en.ts";
import { textsFor, type Language } from "../../src/languages/languages.ts";
import { authorizeIn, listHeld } from "../../src/moderation/authorize-server.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { notAllowed } from "../../src/moderation/check-rights.ts";
import { readWholeReview } from "../../src/reviews/review.ts";
import { suggestReviews } from "../shared/suggest-numbers.ts";
import { requireItem } from "../../src/reviews/review-items.ts";
import { cutText } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { channelOption, optionalNumber } from "../shared/options.ts";
import { listReviews } from "./list.ts";
import { queueOption } from "./queue-option.ts";

export const showReview = listing({
  description: "Open reviews of all channels, oldest first; or one, with its buttons",
  needs: "view",
  console: true,
  options: {
    number: optionalNumber("review", "One of them, such as R-3", suggestReviews),
    queue: queueOption,
    channel: { ...channelOption, description: "Only this channel" },
  },
  async page(context, { number, ...filter }, cursor) {
    if (number === undefined) return listReviews(context, filter, cursor);
    const { query } = context.database;
    const item = await requireItem(query, context.actor.guildId, number);
    const held = await authorizeIn(context, context.actor, "view");
    const { items } = await readWholeReview(query, item);
    if (!items.some(({ channel_id: id }) => held.includes(id))) throw notAllowed(item.channel_id, "view");
    return { view: await showItem(context, number, true) };
  },
});

/** The rights of which one is needed to decide a review. */
export const decides = ["hide", "ban"] as const satisfies Capability[];

export function mayDecide({ channels }: HeldReview, held: ReadonlySet<string>): boolean {
  return channels.some(({ channelId }) => held.has(channelId));
}

/** The language of the posts in the room where a command runs. */
async function readRoomLanguage(context: CommandContext): Promise<Language> {
  const { guildId, roomId } = context.actor;
  return (await readRoomSettings(context, guildId, roomId))?.language ?? "en-US";
}

/** A held item as everybody sees it now, with its remaining buttons; for a single actor who may decide, also its reporters. */
export async function showItem(
  context: CommandContext,
  itemId: number,
  toActorAlone = false,
  notes: readonly string[] = [],
): Promise<View> {
  const { database, clock, settings, actor } = context;
  const item = (await readReviews(database.query, [itemId], clock.now())).get(itemId);
  if (!item) throw new AppError("not_found", `Review ${showNumber("review", itemId)} is gone.`);
  const isNamed = toActorAlone && mayDecide(item, await listHeld(context, actor, ...decides));
  const { posts: texts } = textsFor(toActorAlone ? en.locale : await readRoomLanguage(context));
  const { description, ...embed } = describeReview(item, settings.linkBase, isNamed, texts);
  return {
    embeds: [{ ...embed, description: [description, ...notes].join("\n") }],
    buttons: [...reviewButtons(item, texts), ...(isNamed ? await ignoreButtons(context, item) : [])],
  };
}

const maxIgnoreButtons = 5;

/** For moderators who see who reported. /report unignore takes it back. */
async function ignoreButtons(
  context: CommandContext,
  { reports, channels }: HeldReview,
): Promise<RoomButton[][]> {
  const [first] = channels;
  if (!first || reports.length === 0) return [];
  const { channelId: channel } = first;
  const row = reports.slice(0, maxIgnoreButtons).map(async ({ userId: user }) => {
    const name = (await context.personName(user)) ?? user;
    return runButton(`Ignore reports by ${cutText(name, 40)}`, "review ignore", { user, channel });
  });
  return [await Promise.all(row)];
}
