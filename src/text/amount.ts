/** "1 case", "3 cases": nouns whose plural ends in s. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "4,999,000". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
