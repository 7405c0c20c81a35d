import { vi } from "vitest";
import { z } from "zod";

/** What the chat pane shows of a message. */
const Shown = z.object({
  id: z.string(),
  content: z.string(),
  embeds: z.array(z.looseObject({ title: z.string().nullish(), description: z.string().nullish() })),
  interaction_metadata: z.looseObject({ id: z.string() }).nullish(),
  components: z.array(
    z.looseObject({ components: z.array(z.looseObject({ custom_id: z.string().nullish() })) }),
  ),
});
type Shown = z.output<typeof Shown>;

/** A person at the sandbox's page, without a browser: the same requests that the page sends. */
export interface PageClient {
  /** Does something in the network pane; gives the refusal, or nothing. */
  act(fid: number, action: Record<string, unknown>): Promise<string | undefined>;
  /** Types a command and reads its answer. */
  run(command: string, options?: Record<string, unknown>, room?: string): Promise<Shown>;
  click(message: Shown, room: string, index?: number): Promise<Shown>;
  /** Messages of a room, oldest first. */
  messages(room: string): Promise<Shown[]>;
}

const polling = { timeout: 60_000, interval: 150 };

/** Opens the page at the address that the program printed; gives what it was given to be known by. */
export async function openPage(address: string): Promise<string> {
  const page = await fetch(address);
  return page.headers.getSetCookie().map((each) => each.split(";")[0])[0] ?? "";
}

export function createPageClient(address: string, user: string): PageClient {
  const { origin } = new URL(address);
  let opening: Promise<string> | undefined;
  async function ask(path: string, body?: unknown): Promise<unknown> {
    const cookie = await (opening ??= openPage(address));
    const response = await fetch(`${origin}${path}`, {
      headers: { cookie, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  }

  const messages = async (room: string) =>
    z.array(Shown).parse(await ask(`/chat/messages?user=${user}&room=${room}`));

  const isFilled = ({ embeds, content }: Shown) => embeds.length > 0 || content !== "";

  return {
    messages,
    async act(fid, action) {
      const answer = z
        .object({ error: z.object({ message: z.string() }).optional() })
        .parse((await ask("/network/act", { fid, action })) ?? {});
      return answer.error?.message;
    },
    async run(command, options = {}, room = "mod-desk") {
      const { interaction } = z
        .object({ interaction: z.string() })
        .parse(await ask("/chat/slash", { user, room, command, options }));
      return vi.waitFor(async () => {
        const all = await messages(room);
        const found = all.find((one) => one.interaction_metadata?.id === interaction && isFilled(one));
        if (!found) throw new Error(`no answer to /${command} yet`);
        return found;
      }, polling);
    },
    async click(message, room, index = 0) {
      const customId = message.components[0]?.components[index]?.custom_id;
      await ask("/chat/click", { user, room, message: message.id, customId });
      return vi.waitFor(async () => {
        const found = (await messages(room)).find(({ id }) => id === message.id);
        const offered = found?.components.flatMap(({ components }) => components.map((one) => one.custom_id));
        if (!found || offered?.includes(customId)) throw new Error("the click is not answered yet");
        return found;
      }, polling);
    },
  };
}

export function textOf({ content, embeds }: Shown): string {
  return [content, ...embeds.flatMap(({ title, description }) => [title, description])].join("\n");
}
