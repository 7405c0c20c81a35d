/** "1 case", "3 cases": nouns whose plural ends in s. */
export function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** "50,000": a number with separators. */
export function count(number: number): string {
  return number.toLocaleString("en");
}
