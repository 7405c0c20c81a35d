/** Discord's limits for a bot's messages, with texts in code points. */
export const discordLimits = {
  content: 2000,
  embeds: 10,
  /** For all texts in all embeds of a message together. */
  embedTexts: 6000,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  buttonRows: 5,
  buttonsInRow: 5,
  buttonLabel: 80,
  customId: 100,
  files: 10,
  fileDescription: 1024,
  /** Discord accepts files up to ten MiB; with several, the limit applies to the whole request. */
  fileBytes: 8 * 1024 * 1024,
  formTitle: 45,
  formLabel: 45,
  choices: 25,
  choice: 100,
  placeholder: 150,
} as const;

/** The part of an embed's description for a long list, which leaves space for a heading and a note. */
export const maxListText = 3800;
