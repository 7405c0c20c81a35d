import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { userOf, type Moderator } from "./town.ts";
import { openPage } from "../support/page-client.ts";
import { Unanswered } from "./unanswered.ts";

/** Messages of the local Discord, as far as they matter here. */
const ChatMessage = z.object({
  id: z.string(),
  flags: z.int(),
  embeds: z.array(
    z.object({
      title: z.string().default(""),
      description: z.string().default(""),
      timestamp: z.string().optional(),
      footer: z.object({ text: z.string() }).optional(),
      fields: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
  components: z.array(
    z.object({ components: z.array(z.object({ custom_id: z.string(), label: z.string() })).default([]) }),
  ),
  interaction_metadata: z.object({ id: z.string() }).optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

const loading = 128;
/** Milliseconds between two looks at the room, and how long an answer may take. */
const lookEvery = 150;
const timeoutMs = 20_000;
/** Who asked a bot that was down asks again soon, so that kills meet work under way. */
const tiresAfter = 1500;

export interface ChatPlace {
  chat(): string;
  deaths(): number;
  /** Who asks waits so long for an answer, in milliseconds; 1,500 where absent. */
  timeoutMs?: number;
}

/** A room's newest messages, as this person sees them, newest first. */
async function readRoom(
  place: ChatPlace,
  reader: Moderator,
  room: string,
  before?: string,
): Promise<ChatMessage[]> {
  const user = userOf(reader);
  const query = new URLSearchParams({ user, room, ...(before !== undefined && { before }) });
  return z.array(ChatMessage).parse(await ask(place, `/chat/messages?${query.toString()}`));
}

/** Reads all of a room, oldest first. */
export async function readWholeRoom(place: ChatPlace, user: Moderator, room: string): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  for (let page = await readRoom(place, user, room); page.length > 0;) {
    messages.push(...page);
    page = await readRoom(place, user, room, page.at(-1)?.id);
  }
  return messages.toReversed();
}

/** A person at a keyboard. What is not answered, because somebody died or is not up yet, throws `Unanswered`. */
export interface Typist {
  type(command: string, options?: Record<string, string | number | boolean>): Promise<ChatMessage>;
  click(message: ChatMessage, label: string): Promise<ChatMessage>;
}

export function createTypist(place: ChatPlace, user: Moderator, room: string): Typist {
  const Sent = z.object({ interaction: z.string() });
  const find = async (isIt: (message: ChatMessage) => boolean) =>
    (await readRoom(place, user, room)).find((message) => isIt(message) && (message.flags & loading) === 0);
  return {
    async type(command, options = {}) {
      const deaths = place.deaths();
      const { interaction } = Sent.parse(await ask(place, "/chat/slash", { user, room, command, options }));
      return waitFor(place, deaths, () =>
        find((message) => message.interaction_metadata?.id === interaction),
      );
    },
    async click(message, label) {
      const button = message.components
        .flatMap(({ components }) => components)
        .find((one) => one.label === label);
      if (!button) throw new Error(`no button ${label} under: ${textOf(message)}`);
      const deaths = place.deaths();
      await ask(place, "/chat/click", { user, room, message: message.id, customId: button.custom_id });
      const isAnswer = (one: ChatMessage) => one.id === message.id && textOf(one) !== textOf(message);
      return waitFor(place, deaths, () => find(isAnswer));
    },
  };
}

export function textOf({ embeds }: ChatMessage): string {
  return embeds.map(({ title, description }) => `${title}\n${description}`).join("\n");
}

/** Looks until it is there. Once more after a death, for what was answered just before. */
async function waitFor<T>(place: ChatPlace, deaths: number, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + (place.timeoutMs ?? tiresAfter);
  for (;;) {
    const last = place.deaths() > deaths || Date.now() > end;
    const found = await look();
    if (found !== undefined) return found;
    if (last) throw new Unanswered("the bot did not answer");
    await sleep(lookEvery);
  }
}

/** What each chat knows its page by. */
const cookies = new Map<string, string>();

async function cookieOf(chat: string): Promise<string> {
  const cookie = cookies.get(chat) ?? (await openPage(chat));
  cookies.set(chat, cookie);
  return cookie;
}

/** Asks the page's server; 4xx is the chat's own refusal, such as a command that is not there yet. */
async function ask(place: ChatPlace, path: string, body?: object): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    const cookie = await cookieOf(place.chat());
    response = await fetch(`${place.chat()}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { cookie, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (cause) {
    throw new Unanswered("the chat is not there", { cause });
  }
  if (!response.ok) throw new Unanswered(`${path}: ${text}`);
  return JSON.parse(text);
}
