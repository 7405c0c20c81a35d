import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

/** The languages besides English, by the names that Discord has for them. */
export const translations = { de } as const satisfies Record<string, Texts>;

/** The texts in the language of an interaction ("de", "pt-BR"), in English if there are none in it. */
export function textsFor(locale: string): Texts {
  return Object.hasOwn(translations, locale) ? translations[locale as keyof typeof translations] : en; // own, so a key
}

/** The name of a command in menus; undefined for those whose names are English everywhere. */
export function menuName({ menuNames }: Texts, name: string): string | undefined {
  return Object.hasOwn(menuNames, name) ? menuNames[name as keyof typeof menuNames] : undefined; // own, so a key
}

/** A text in every language, as Discord wants it for a command. */
export function localize(read: (texts: Texts) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(translations).map(([locale, texts]) => [locale, read(texts)]));
}
