import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";

const WebUrl = z.url({ protocol: /^https?$/ }).max(2048);
const MediaUrl = z.url({ protocol: /^(https?|attachment)$/ }).max(2048);

export const Embed = z.object({
  type: z.string().optional(),
  title: z.string().max(256).nullish(),
  description: z.string().max(4096).nullish(),
  url: WebUrl.nullish(),
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.object({ text: z.string().min(1).max(2048), icon_url: MediaUrl.nullish() }).nullish(),
  image: z.object({ url: MediaUrl }).nullish(),
  thumbnail: z.object({ url: MediaUrl }).nullish(),
  author: z
    .object({ name: z.string().min(1).max(256), url: WebUrl.nullish(), icon_url: MediaUrl.nullish() })
    .nullish(),
  fields: z
    .array(
      z.object({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1024),
        inline: z.boolean().nullish(),
      }),
    )
    .max(25)
    .nullish(),
});
export type Embed = z.infer<typeof Embed>;

export const Embeds = z.array(Embed).max(10);

/** Each embed shows something, and all those of one message share 6,000 characters. */
export function* embedIssues(embeds: readonly Embed[], path: readonly string[]): Iterable<FormIssue> {
  for (const [index, embed] of embeds.entries()) {
    if (shows(embed)) continue;
    const message = "This field is required";
    yield { path: [...path, index, "description"], code: "BASE_TYPE_REQUIRED", message };
  }
  const total = embeds.reduce((sum, embed) => sum + embedSize(embed), 0);
  if (total > 6000) {
    yield { path, code: "MAX_EMBED_SIZE_EXCEEDED", message: "Embed size exceeds maximum size of 6000" };
  }
}

function shows({ title, description, footer, author, fields, image, thumbnail, timestamp }: Embed): boolean {
  return [title, description, footer, author, fields?.length, image, thumbnail, timestamp].some(Boolean);
}

function embedSize({ title, description, footer, author, fields }: Embed): number {
  const texts = [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap((f) => [f.name, f.value]),
  ];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
