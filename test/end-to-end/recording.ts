import type { Chat, Seen } from "../support/bot-in-discord.ts";
import type { TestDiscord } from "../support/discord.ts";

/** What people did, counted. */
export interface Effort {
  keys?: number;
  pastes?: number;
  clicks?: number;
  /** Something done in the Farcaster app: an approval, a cast, an invite. */
  acts?: number;
}

/** Seconds that each takes somebody who knows what to do. */
const seconds = { keys: 0.3, pastes: 5, clicks: 3, acts: 30 } as const;
const names = {
  keys: ["key", "keys"],
  pastes: ["paste", "pastes"],
  clicks: ["click", "clicks"],
  acts: ["act in the Farcaster app", "acts in the Farcaster app"],
} as const;
const kinds = ["pastes", "keys", "clicks", "acts"] as const;

/** What people see and do, as text, with what differs from run to run made equal. */
export interface Recording {
  command: (command: string, shown: string) => void;
  note: (text: string, effort?: Effort) => void;
  /** Somebody types a command in a room; gives the answer, which is recorded too. */
  run: (user: string, command: string, options?: Record<string, string>, room?: string) => Promise<Seen>;
  click: (user: string, seen: Seen, label: string) => Promise<Seen>;
  /** What the bot says in a room by itself. */
  shows: (room: string, text: string) => void;
  /** All that people did until now, and what that takes somebody who knows what to do. */
  total: (text: string) => void;
  text: () => string;
}

export function createRecording(
  chat: Chat,
  { context }: TestDiscord,
  equal: (text: string) => string,
): Recording {
  const parts: string[] = [];
  const total: Required<Effort> = { keys: 0, pastes: 0, clicks: 0, acts: 0 };
  const nameOf = (username: string) =>
    [...context.world.users.values()].find((user) => user.username === username)?.displayName ?? username;
  const add = (effort: Effort) => {
    for (const kind of kinds) total[kind] += effort[kind] ?? 0;
  };
  const quote = ({ text, buttons }: Pick<Seen, "text"> & Partial<Seen>) => {
    const labels = Object.keys(buttons ?? {}).map((label) => `[${label}]`);
    const lines = [...text.split("\n"), ...(labels.length > 0 ? [labels.join(" ")] : [])];
    return `${lines.map((line) => `  | ${line}`.trimEnd()).join("\n")}\n`;
  };

  return {
    command: (command, shown) => void parts.push(`$ ${command}\n${shown.trimEnd()}\n`),
    note(text, effort = {}) {
      add(effort);
      const told = describeEffort(effort);
      parts.push(`# ${text}${told === "" ? "" : ` (${told})`}\n`);
    },
    async run(user, command, options = {}, room = "general") {
      const given = Object.entries(options).map(([name, value]) => ` ${name}:${value}`);
      const typed = `/${command}${given.join("")}`;
      add({ keys: typed.length + 1 });
      const seen = await chat.run(user, command, options, room);
      parts.push(`# ${nameOf(user)}, in #${room}: ${typed}\n${quote(seen)}`);
      return seen;
    },
    async click(user, seen, label) {
      add({ clicks: 1 });
      const answer = await chat.click(user, seen, label);
      parts.push(`# ${nameOf(user)} clicks [${label}]\n${quote(answer)}`);
      return answer;
    },
    shows: (room, text) => void parts.push(`# In #${room}:\n${quote({ text })}`),
    total: (text) => void parts.push(`# ${text}: ${describeEffort(total)}.\n# ${describeTime(total)}\n`),
    text: () => parts.map(equal).join("\n"),
  };
}

function describeEffort(effort: Effort): string {
  const told = kinds.flatMap((kind) => {
    const count = effort[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${names[kind][count === 1 ? 0 : 1]}`];
  });
  return told.join(", ");
}

function describeTime(effort: Required<Effort>): string {
  const sum = kinds.reduce((all, kind) => all + effort[kind] * seconds[kind], 0);
  const { keys, pastes, clicks, acts } = seconds;
  return `At ${keys} s a key, ${pastes} s a paste, ${clicks} s a click and ${acts} s an act: ${Math.ceil(sum / 60)} minutes, without reading.`;
}
