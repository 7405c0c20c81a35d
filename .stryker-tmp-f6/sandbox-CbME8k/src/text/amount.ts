/** "1 case", "3 cases": nouns whose plural ends in s. */
// @ts-nocheck

export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
