import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { ja } from "./ja.ts";
import { ptBr } from "./pt-br.ts";

/** Every language by its code, as its speakers call it. */
export const languageNames = {
  "en-US": "English",
  "es-ES": "Español",
  "pt-BR": "Português (Brasil)",
  de: "Deutsch",
  ja: "日本語",
} as const;
export type Language = keyof typeof languageNames;
/** In the order in which they are offered. */
export const languageCodes = Object.keys(languageNames) as Language[]; // its own keys

/** A stored language; English if it is not one of these. */
export function readLanguage(locale: string | undefined): Language {
  return languageCodes.find((code) => code === locale) ?? "en-US";
}

/** The languages besides English, by the names that Discord has for them. */
export const translations: ReadonlyMap<string, Texts> = new Map([
  ["es-ES", es],
  ["es-419", es],
  ["pt-BR", ptBr],
  ["de", de],
  ["ja", ja],
]);

/** The texts in the language of an interaction ("de", "pt-BR"), or in English. */
export function textsFor(locale: string): Texts {
  return translations.get(locale) ?? en;
}

/** One of several texts; undefined for a key that they lack, such as a moderators' command. */
export function findText(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** A text in every language besides English, as Discord wants it for a command; undefined if there are none. */
export function localize(
  read: (texts: Texts) => Readonly<Record<string, string>>,
  key: string,
): Record<string, string> | undefined {
  if (findText(read(en), key) === undefined) return undefined;
  return Object.fromEntries([...translations].map(([locale, texts]) => [locale, read(texts)[key] ?? key]));
}
