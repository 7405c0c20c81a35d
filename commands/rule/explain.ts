import { answer } from "../../src/discord/command.ts";
import { integer, type Option } from "../../src/discord/option.ts";
import type { View } from "../../src/discord/view.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import type { FoundCast } from "../../src/moderation/find-cast.ts";
import { explainEvent } from "../../src/rules/explain/explain-event.ts";
import { castOption } from "../shared/options.ts";
import { describeExplanation } from "./describe-explanation.ts";
import { findExplained } from "./find-explained.ts";

const anyCast = castOption("A cast, by hash or link", { visible: "view", hidden: "hide" });
const optionalCast: Option<FoundCast | undefined> = {
  ...anyCast,
  required: false,
  read: async (raw, context) => (raw === undefined ? undefined : anyCast.read(raw, context)),
};

const biggest = 2_147_483_647;

export const explainRules = answer({
  description: "Why rules did, or did not do, something: every condition with what it found",
  options: {
    cast: optionalCast,
    case: integer({ description: "Or a case that a rule made, by its number", min: 1, max: biggest }),
    event: integer({ description: "Or an event, by the number under its message", min: 1, max: biggest }),
  },
  async run(context, wanted): Promise<View> {
    const channelIds = await authorizeIn(context, context.actor, "view");
    const events = await findExplained(context, channelIds, wanted);
    const views: View[] = [];
    for (const { eventId, channelId } of events) {
      views.push(describeExplanation(await explainEvent(context, context.actor.guildId, channelId, eventId)));
    }
    return joinViews(views);
  },
});

/** Discord takes 6,000 characters a message: what does not fit is told by its number. */
const mostCharacters = 5500;

function joinViews(views: readonly View[]): View {
  const embeds = views.flatMap((view) => view.embeds ?? []);
  let room = mostCharacters;
  const fit = embeds.filter(({ description = "" }) => (room -= description.length + 50) >= 0);
  const rest = embeds.filter((embed) => !fit.includes(embed)).map(({ title }) => title);
  const content = rest.length > 0 ? `More with /rule explain event: ${rest.join(", ")}` : "";
  return { content, embeds: fit, files: views.flatMap((view) => view.files ?? []) };
}
