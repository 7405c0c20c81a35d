import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Interaction } from "../discord/interactions/interactions.ts";
import { listMessages } from "../discord/messages/list-messages.ts";
import type { Discord } from "../discord/start-discord.ts";
import { pageGet, pagePost, type PageRoute } from "../page-route.ts";
import { chatPeople, chatView, messageView, switchable } from "./chat-view.ts";

const Actor = z.object({ user: z.string(), room: z.string() });

const GivenFile = z
  .object({ filename: z.string().min(1).max(200), contentType: z.string(), base64: z.base64() })
  .transform(({ base64, ...file }) => ({ ...file, content: Buffer.from(base64, "base64") }));

const TypedCommand = Actor.extend({
  command: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), GivenFile])),
});

const ComponentUse = Actor.extend({ message: z.string(), customId: z.string() });

const rememberedModals = 100;

/** Bytes of a command with files, which travel as base64. */
const commandLimit = 8 * 1024 * 1024;

/** What the chat pane of the page asks the local Discord. */
export function chatRoutes({ context, people, denyBot }: Discord): PageRoute[] {
  const opened = new Map<string, Interaction>();
  const remember = (interaction: Interaction) => {
    opened.set(interaction.id, interaction);
    const [oldest] = opened.keys();
    if (oldest !== undefined && opened.size > rememberedModals) opened.delete(oldest);
    return { interaction: interaction.id };
  };
  return [
    pageGet("/chat/people", () => chatPeople(context)),
    pageGet("/chat/view", (query) => chatView(context, query.get("user") ?? "")),
    pageGet("/chat/messages", (query) => {
      const page = { before: query.get("before") ?? undefined, limit: 50 };
      const messages = listMessages(context.world, query.get("room") ?? "", page, query.get("user"));
      return messages.map((message) => messageView(context, message));
    }),
    pagePost("/chat/say", Actor.extend({ content: z.string() }), (saying) => void people.say(saying)),
    pagePost("/chat/slash", TypedCommand, (typed) => remember(people.slash(typed)), commandLimit),
    pagePost(
      "/chat/suggest",
      TypedCommand.extend({ focused: z.string() }),
      (typed) => people.autocomplete(typed),
      commandLimit,
    ),
    pagePost("/chat/menu", Actor.extend({ command: z.string(), target: z.string() }), (choice) =>
      remember(people.contextMenu(choice)),
    ),
    pagePost("/chat/click", ComponentUse, (use) => remember(people.click(use))),
    pagePost("/chat/select", ComponentUse.extend({ values: z.array(z.string()) }), (use) =>
      remember(people.select(use)),
    ),
    pagePost(
      "/chat/modal",
      Actor.extend({
        interaction: z.string(),
        fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      }),
      async ({ interaction, ...submission }) => {
        const modal = opened.get(interaction);
        if (!modal) throw new AppError("expired", "That form is too old; open it again.");
        return remember(await people.submitModal({ ...submission, opened: modal }));
      },
    ),
    pagePost("/chat/dismiss", Actor.extend({ message: z.string() }), (dismissal) =>
      people.dismiss(dismissal),
    ),
    pagePost(
      "/chat/deny",
      z.object({ room: z.string(), denied: z.array(z.enum(switchable)) }),
      ({ room, denied }) => denyBot(room, denied),
    ),
  ];
}
