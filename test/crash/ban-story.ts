/**
 * A short story with the whole program in processes of its own: a channel is linked, somebody is banned by command, and
 * the room is told of it.
 */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { startCastellan, type CastellanProcess } from "../support/program.ts";
import { secretOf } from "../support/signing.ts";
import { createTypist, readWholeRoom, textOf, type ChatMessage } from "./chat.ts";
import { feedRoom } from "./evidence.ts";
import { botFid, channelId, makeTown, trolls } from "./town.ts";
import { Unanswered } from "./unanswered.ts";

interface StoryOptions {
  /** Settings of api, bot and worker, which say where the data and the queues are. */
  settings: Record<string, string>;
  /** Is given each step. */
  write: (line: string) => void;
  /** What happens before somebody is banned. */
  beforeBan?: () => Promise<void>;
}

/** Milliseconds until an answer, or a post, must be there. */
const timeoutMs = 120_000;

/** Throws with what the processes wrote if the story does not end well, or one of them does not. */
export async function runBanStory(options: StoryOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-story-"));
  const running: CastellanProcess[] = [];
  let failure: unknown;
  try {
    await tell(options, directory, running);
  } catch (error) {
    failure = error;
  }
  const codes = await Promise.all(running.toReversed().map((each) => each.stop()));
  if (codes.some((code) => code !== 0)) failure ??= new Error(`ended with ${codes.join(", ")}`);
  await rm(directory, { recursive: true, force: true });
  if (failure === undefined) return;
  const reason = failure instanceof Error ? failure.message : String(failure);
  throw new Error(`${reason}\n${running.map((each) => each.output()).join("\n")}`, { cause: failure });
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(200)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
}

async function tell(
  { settings, write, beforeBan }: StoryOptions,
  directory: string,
  running: CastellanProcess[],
): Promise<void> {
  const file = join(directory, "town.json");
  await writeFile(file, JSON.stringify(await makeTown(Math.floor(Date.now() / 1000))));
  await mkdir(join(directory, "data"));
  const discordToken = "the.bot.of.a.story.at.the.local.Discord";
  const free = { PORT: "0", SANDBOX_PORT: "0", CONSOLE_PORT: "0", LOG_LEVEL: "warn" };
  const start = (role: string, own: Record<string, string>) => {
    const process = startCastellan(role, { ...free, ...own });
    running.push(process);
    return process;
  };
  const discord = start("sandbox", { DISCORD_TOKEN: discordToken, DATA_DIR: join(directory, "discord") });
  const { sandbox = "" } = await discord.ready;
  const shared = {
    ...settings,
    DATA_DIR: join(directory, "data"),
    NETWORK: "empty",
    NETWORK_FILE: file,
    OPERATOR_TOKEN: randomBytes(32).toString("hex"),
    BOT_FID: String(botFid),
    BOT_APP_KEY: secretOf(botFid).toString("hex"),
    DISCORD_TOKEN: discordToken,
    DISCORD_API: `${sandbox}/api`,
  };
  for (const role of ["api", "bot", "worker"]) await start(role, shared).ready;
  write("api, bot and worker are up");
  const place = { chat: () => sandbox, deaths: () => 0, timeoutMs: 10_000 };
  const ada = createTypist(place, "ada", sandboxRooms.deskRoom);
  const ask = (what: string, command: () => Promise<ChatMessage>) =>
    until(what, () =>
      command().catch((error: unknown) => {
        if (error instanceof Unanswered) return undefined;
        throw error;
      }),
    );
  const insist = async (command: string, options: Record<string, string>, expected: RegExp) => {
    const answer = await ask(command, () => ada.type(command, options));
    if (!expected.test(textOf(answer))) throw new Error(`/${command}: ${textOf(answer)}`);
    write(`/${command}: answered`);
    return answer;
  };
  await insist("setup link", { channel: channelId }, /is linked|is renewed/);
  await insist("feed add", { room: feedRoom }, /gets events of/);
  await beforeBan?.();
  const preview = await insist(
    "ban",
    { user: String(trolls.ada[0]), duration: "permanent", reason: "spam" },
    /Ban from[^]*A ban hides all their replies/,
  );
  const done = await ask("Ban", () => ada.click(preview, "Ban"));
  if (!/C-1 · Ban · done/.test(textOf(done))) throw new Error(`Ban: ${textOf(done)}`);
  await until("the room's post", async () =>
    (await readWholeRoom(place, "ada", feedRoom)).find((message) => /Banned from/.test(textOf(message))),
  );
  write("the room was told of the ban");
}
