import { ButtonStyle, ComponentType, TextInputStyle } from "discord-api-types/v10";
import { z } from "zod";

const id = z.int().min(0).optional();
const CustomId = z.string().min(1).max(100);
const Emoji = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  animated: z.boolean().optional(),
});
const Media = z.object({ url: z.url({ protocol: /^(https?|attachment)$/ }).max(2048) });

export const Button = z.object({
  type: z.literal(ComponentType.Button),
  id,
  style: z.enum(ButtonStyle),
  label: z.string().max(80).nullish(),
  emoji: Emoji.nullish(),
  custom_id: CustomId.nullish(),
  sku_id: z.string().nullish(),
  url: z.url().max(512).nullish(),
  disabled: z.boolean().nullish(),
});

const select = {
  id,
  custom_id: CustomId,
  placeholder: z.string().max(150).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
};

export const StringSelect = z.object({
  type: z.literal(ComponentType.StringSelect),
  ...select,
  options: z
    .array(
      z.object({
        label: z.string().min(1).max(100),
        value: z.string().min(1).max(100),
        description: z.string().max(100).nullish(),
        emoji: Emoji.nullish(),
        default: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(25),
});

export const EntitySelect = z.object({
  type: z.literal([
    ComponentType.UserSelect,
    ComponentType.RoleSelect,
    ComponentType.MentionableSelect,
    ComponentType.ChannelSelect,
  ]),
  ...select,
  channel_types: z.array(z.int()).nullish(),
  default_values: z
    .array(z.object({ id: z.string(), type: z.enum(["user", "role", "channel"]) }))
    .max(25)
    .nullish(),
});

export const TextInput = z.object({
  type: z.literal(ComponentType.TextInput),
  id,
  custom_id: CustomId,
  style: z.enum(TextInputStyle),
  label: z.string().min(1).max(45).nullish(),
  min_length: z.int().min(0).max(4000).nullish(),
  max_length: z.int().min(1).max(4000).nullish(),
  required: z.boolean().nullish(),
  value: z.string().max(4000).nullish(),
  placeholder: z.string().max(100).nullish(),
});

export const TextDisplay = z.object({
  type: z.literal(ComponentType.TextDisplay),
  id,
  content: z.string().min(1).max(4000),
});

const Thumbnail = z.object({
  type: z.literal(ComponentType.Thumbnail),
  id,
  media: Media,
  description: z.string().max(1024).nullish(),
  spoiler: z.boolean().optional(),
});

const ActionRow = z.object({
  type: z.literal(ComponentType.ActionRow),
  id,
  components: z
    .array(z.discriminatedUnion("type", [Button, StringSelect, EntitySelect]))
    .min(1)
    .max(5),
});

const Section = z.object({
  type: z.literal(ComponentType.Section),
  id,
  components: z.array(TextDisplay).min(1).max(3),
  accessory: z.discriminatedUnion("type", [Button, Thumbnail]),
});

const Gallery = z.object({
  type: z.literal(ComponentType.MediaGallery),
  id,
  items: z
    .array(
      z.object({
        media: Media,
        description: z.string().max(1024).nullish(),
        spoiler: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(10),
});

const File = z.object({
  type: z.literal(ComponentType.File),
  id,
  file: Media,
  spoiler: z.boolean().optional(),
});

const Separator = z.object({
  type: z.literal(ComponentType.Separator),
  id,
  divider: z.boolean().optional(),
  spacing: z.literal([1, 2]).optional(),
});

const blocks = [ActionRow, Section, TextDisplay, Gallery, File, Separator] as const;

const Container = z.object({
  type: z.literal(ComponentType.Container),
  id,
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().optional(),
  components: z.array(z.discriminatedUnion("type", blocks)).min(1),
});

/** Components allowed at the top level of a message. */
export const Component = z.discriminatedUnion("type", [...blocks, Container]);
export type Component = z.infer<typeof Component>;

/** Any component in a message's tree. */
export type AnyComponent =
  | Component
  | z.infer<typeof Button>
  | z.infer<typeof StringSelect>
  | z.infer<typeof EntitySelect>
  | z.infer<typeof Thumbnail>;
