import type * as Discord from "discord-api-types/v10";

// The package with these constants is larger than the page, so their values are copied here and checked by its types.

const membersOf =
  <E>() =>
  <K extends keyof E>(values: Pick<E, K>): Pick<E, K> =>
    values;

export const ComponentType = membersOf<typeof Discord.ComponentType>()({
  ActionRow: 1,
  Button: 2,
  StringSelect: 3,
  TextInput: 4,
  UserSelect: 5,
  RoleSelect: 6,
  MentionableSelect: 7,
  ChannelSelect: 8,
  Section: 9,
  TextDisplay: 10,
  Thumbnail: 11,
  MediaGallery: 12,
  File: 13,
  Separator: 14,
  Container: 17,
  Label: 18,
});

export const ButtonStyle = membersOf<typeof Discord.ButtonStyle>()({
  Primary: 1,
  Secondary: 2,
  Success: 3,
  Danger: 4,
  Link: 5,
  Premium: 6,
});

export const TextInputStyle = membersOf<typeof Discord.TextInputStyle>()({ Short: 1, Paragraph: 2 });

export const CommandType = membersOf<typeof Discord.ApplicationCommandType>()({
  ChatInput: 1,
  User: 2,
  Message: 3,
});

export const OptionType = membersOf<typeof Discord.ApplicationCommandOptionType>()({
  Subcommand: 1,
  SubcommandGroup: 2,
  String: 3,
  Integer: 4,
  Boolean: 5,
  User: 6,
  Channel: 7,
  Role: 8,
  Mentionable: 9,
  Number: 10,
  Attachment: 11,
});

export const MessageFlags = membersOf<typeof Discord.MessageFlags>()({
  Ephemeral: 64,
  Loading: 128,
});
