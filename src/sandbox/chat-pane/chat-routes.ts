import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import type { Context } from "../discord/context.ts";
import type { Interaction } from "../discord/interactions/interactions.ts";
import { listMessages } from "../discord/messages/find-messages.ts";
import type { DiscordControls } from "../discord/start-discord.ts";
import { denyBot } from "../discord/world/change-room.ts";
import type { RoomEvent } from "../discord/state.ts";
import { chatPeople, chatView, messageView, switchable } from "./chat-view.ts";

const Actor = z.object({ user: z.string(), room: z.string() });

const GivenFile = z
  .object({ filename: z.string().min(1).max(200), contentType: z.string(), base64: z.base64() })
  .transform(({ base64, ...file }) => ({ ...file, content: Buffer.from(base64, "base64") }));

const Saying = Actor.extend({ content: z.string() });
const TypedCommand = Actor.extend({
  command: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), GivenFile])),
});
const FocusedCommand = TypedCommand.extend({ focused: z.string() });
const MenuChoice = Actor.extend({ command: z.string(), target: z.string() });
const ComponentUse = Actor.extend({ message: z.string(), customId: z.string() });
const Selection = ComponentUse.extend({ values: z.array(z.string()) });
const Submission = Actor.extend({
  interaction: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});
const Dismissal = Actor.extend({ message: z.string() });
const Denial = z.object({ room: z.string(), denied: z.array(z.enum(switchable)) });

/** The bodies that the page sends, by path. */
export interface ChatPosts {
  "/chat/say": z.input<typeof Saying>;
  "/chat/slash": z.input<typeof TypedCommand>;
  "/chat/suggest": z.input<typeof FocusedCommand>;
  "/chat/menu": z.input<typeof MenuChoice>;
  "/chat/click": z.input<typeof ComponentUse>;
  "/chat/select": z.input<typeof Selection>;
  "/chat/modal": z.input<typeof Submission>;
  "/chat/dismiss": z.input<typeof Dismissal>;
  "/chat/deny": z.input<typeof Denial>;
}

const rememberedModals = 100;
const pageSize = 50;

/** Maximum bytes of a command with files, which are base64-encoded. */
const bodyLimit = 8 * 1024 * 1024;

/** Interval of keep-alive comments on an idle stream, in milliseconds. */
const pulse = 20_000;

interface Looking {
  Querystring: { user?: string; room?: string; before?: string; after?: string };
}

/** The requests of the page's chat pane to the local Discord. */
export function addChatRoutes(
  server: FastifyInstance,
  { context, people }: DiscordControls,
  tour: boolean,
): void {
  const opened = new LRUCache<string, Interaction>({ max: rememberedModals });
  const remember = (interaction: Interaction) => {
    opened.set(interaction.id, interaction);
    return { interaction: interaction.id };
  };
  server.get("/chat/people", async () => chatPeople(context));
  server.get<Looking>("/chat/view", async ({ query: { user = "" } }) => chatView(context, user, tour));
  server.get<Looking>("/chat/messages", async ({ query }) => {
    const { user = null, room = "", before, after } = query;
    return listMessages(context.world, room, { before, after, limit: pageSize }, user).map((message) =>
      messageView(context, message),
    );
  });
  server.get<Looking>("/chat/events", (request, reply) => {
    const events = streamEvents(context, request.query.user ?? "");
    reply.raw.once("close", () => events.destroy());
    return reply.type("text/event-stream").send(events);
  });
  server.post("/chat/say", async ({ body }) => void people.say(Saying.parse(body)));
  server.post("/chat/slash", { bodyLimit }, async ({ body }) =>
    remember(people.slash(TypedCommand.parse(body))),
  );
  server.post("/chat/suggest", { bodyLimit }, async ({ body }) =>
    people.autocomplete(FocusedCommand.parse(body)),
  );
  server.post("/chat/menu", async ({ body }) => remember(people.contextMenu(MenuChoice.parse(body))));
  server.post("/chat/click", async ({ body }) => remember(people.click(ComponentUse.parse(body))));
  server.post("/chat/select", async ({ body }) => remember(people.select(Selection.parse(body))));
  server.post("/chat/modal", async ({ body }) => {
    const { interaction, ...submission } = Submission.parse(body);
    const modal = opened.get(interaction);
    if (!modal) throw new AppError("expired", "That form has expired. Open it again.");
    return remember(await people.submitModal({ ...submission, opened: modal }));
  });
  server.post("/chat/dismiss", async ({ body }) => people.dismiss(Dismissal.parse(body)));
  server.post("/chat/deny", async ({ body }) => {
    const { room, denied } = Denial.parse(body);
    denyBot(context, room, denied);
  });
}

/** Streams room events as one person sees them, as server-sent events, until it is destroyed. */
function streamEvents(context: Context, userId: string): PassThrough {
  const stream = new PassThrough();
  stream.write("retry: 1000\n\n");
  const stop = context.happened.listen((event) => {
    if (!concerns(event, userId)) return;
    const data = event.kind === "message" ? messageView(context, event.message) : event;
    stream.write(`event: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`);
  });
  const timer = setInterval(() => stream.write(": alive\n\n"), pulse).unref();
  stream.once("close", () => {
    stop();
    clearInterval(timer);
  });
  return stream;
}

function concerns(event: RoomEvent, userId: string): boolean {
  switch (event.kind) {
    case "message":
      return event.message.visibleTo === null || event.message.visibleTo === userId;
    case "message_removed":
      return event.visibleTo === null || event.visibleTo === userId;
    case "interaction":
    case "modal":
      return event.userId === userId;
    case "typing":
    case "rooms":
    case "commands":
    case "presence":
      return true;
  }
}
