/** Discord's limits for what a bot sends, texts in code points. */
export const discordLimits = {
  content: 2000,
  embeds: 10,
  /** All texts of all embeds of one message together. */
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
  /** Discord takes ten MiB a file; with several, the whole request counts. */
  fileBytes: 8 * 1024 * 1024,
  formTitle: 45,
  formLabel: 45,
  choices: 25,
  choice: 100,
  placeholder: 150,
} as const;

/** How much of an embed's description a long list takes: a heading and a note stand around it. */
export const maxListText = 3800;
