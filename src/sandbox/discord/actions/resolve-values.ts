import type { Context } from "../context.ts";
import { optionType } from "../numbers.ts";
import { rolePayload, roomPayload } from "../payloads/guild.ts";
import { attachmentPayload, messagePayload } from "../payloads/message.ts";
import { userPayload } from "../payloads/user.ts";
import type { Guild, Message } from "../world/world.ts";
import { memberIn } from "./dispatch-interaction.ts";
import type { FilledOption, GivenFile } from "./fill-options.ts";

interface Resolved {
  users: Record<string, unknown>;
  members: Record<string, unknown>;
  channels: Record<string, unknown>;
  roles: Record<string, unknown>;
  attachments: Record<string, unknown>;
  messages: Record<string, unknown>;
}

/** What the ids in a command stand for. Keys without entries are left out, as Discord does. */
export class ResolvedValues {
  readonly #context: Context;
  readonly #guild: Guild | null;
  readonly #found: Resolved = {
    users: {},
    members: {},
    channels: {},
    roles: {},
    attachments: {},
    messages: {},
  };

  constructor(context: Context, guild: Guild | null) {
    this.#context = context;
    this.#guild = guild;
  }

  addUser(id: string): this {
    const user = this.#context.world.users.get(id);
    if (!user) return this;
    this.#found.users[id] = userPayload(user);
    if (!this.#guild) return this;
    const { user: _, deaf: __, mute: ___, ...member } = memberIn(this.#guild, user);
    this.#found.members[id] = member;
    return this;
  }

  addMessage(message: Message): this {
    this.#found.messages[message.id] = messagePayload(this.#context.world, message, this.#context.origin());
    return this;
  }

  addRoom(id: string): this {
    const room = this.#context.world.rooms.get(id);
    if (!room) return this;
    // Discord sends a part of the room here, without its overwrites.
    const { permission_overwrites: _, ...part } = {
      permission_overwrites: [],
      ...roomPayload(this.#context.world, room),
    };
    this.#found.channels[id] = { ...part, permissions: "0" };
    return this;
  }

  addRole(id: string): this {
    const role = this.#guild?.roles.find((candidate) => candidate.id === id);
    if (role) this.#found.roles[id] = rolePayload(role);
    return this;
  }

  addFile(id: string, file: GivenFile): this {
    const { filename, contentType, content } = file;
    const attachment = { id, filename, contentType, description: null, size: content.length };
    this.#found.attachments[id] = attachmentPayload(attachment, this.#context.origin());
    return this;
  }

  addOptions(options: readonly FilledOption[], files: ReadonlyMap<string, GivenFile>): this {
    for (const { name, type, value } of options) {
      const id = String(value);
      const file = files.get(name);
      if (type === optionType.user || type === optionType.mentionable) this.addUser(id);
      if (type === optionType.channel) this.addRoom(id);
      if (type === optionType.role) this.addRole(id);
      if (type === optionType.attachment && file) this.addFile(id, file);
    }
    return this;
  }

  toPayload(): { resolved?: Partial<Resolved> } {
    const entries = Object.entries(this.#found).filter(([, found]) => Object.keys(found).length > 0);
    return entries.length === 0 ? {} : { resolved: Object.fromEntries(entries) };
  }
}
