/** "1 case", "3 cases": nouns whose plural ends in s. */
export function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const numbers = new Intl.NumberFormat("en");

/** "50,000": numbers as people read them. */
export function count(number: number): string {
  return numbers.format(number);
}

/** "4,999,000". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
