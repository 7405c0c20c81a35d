/** What is rare in texts without a disguise. */
const signs =
  /[\u0080-\uffff]|([a-z])\1\1|aa|ii|uu|[a-z][0-9@$!|]+[a-z]|[0-9@$][a-z]{3}|(?<![a-z0-9])[a-z][^a-z0-9]{1,4}[a-z][^a-z0-9]{1,4}[a-z](?![a-z0-9])|[a-z]{2}([._*|/~-])[a-z]+\2[a-z]|[[({]\s?(?:\.|dot)|\([a-z]\)|h(?:xx|\*\*|__)p|\[:\]/;

/** Whether anything in a text, in lower case, suggests a disguise. */
export function looksDisguised(text: string): boolean {
  return signs.test(text);
}
