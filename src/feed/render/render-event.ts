import { cutText } from "../../text/cut-text.ts";
import type { ToldEvent, ToldKind } from "../feed-kind.ts";
import type { RoomEmbed } from "../rooms.ts";
import { castRenderers } from "./casts.ts";
import { castellanRenderers } from "./castellan.ts";
import { channelRenderers } from "./channel.ts";
import type { Facts } from "./facts.ts";
import { peopleRenderers } from "./people.ts";
import { proofRenderers } from "./proofs.ts";
import type { Renderers } from "./renderer.ts";
import { ruleRenderers } from "./rules.ts";
import type { Told } from "./words.ts";

const renderers: Renderers<ToldKind> = {
  ...proofRenderers,
  ...castRenderers,
  ...peopleRenderers,
  ...channelRenderers,
  ...castellanRenderers,
  ...ruleRenderers,
};

/** Discord's limits. */
const titleLength = 256;
const descriptionLength = 4096;

/** An event as an embed; its footer is the event's number, by which the message is found again after a crash. */
export function renderEvent(event: ToldEvent, facts: Facts): RoomEmbed {
  // The table has for each kind the renderer of that kind's events.
  const render = renderers[event.kind] as (event: ToldEvent, facts: Facts) => Told;
  const { title, description, color } = render(event, facts);
  return {
    title: cutText(title, titleLength),
    description: cutText(description, descriptionLength),
    color,
    footer: `#${event.id}`,
    timestamp: event.occurredAt * 1000,
  };
}
