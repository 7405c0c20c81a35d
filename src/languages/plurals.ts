/** The forms of a text for numbers, by the language's own categories; "#" stands for the number. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Chooses the form for a number, and writes the number as the language does. */
export function createPlural(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", numbers.format(count));
}
