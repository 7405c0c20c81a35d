import { createRandom } from "../../support/random.ts";

/** What a template may name besides its own choices. */
const made: Record<string, (pick: (most: number) => number) => string> = {
  link: (pick) =>
    `https://${places[pick(places.length)]}-${goods[pick(goods.length)]}.example${paths[pick(paths.length)]}`,
  number: (pick) => ["50", "100", "300", "500", "1,200", "2500", "5,000", "10,000"][pick(8)] ?? "",
  small: (pick) => ["0.1", "0.5", "1", "2"][pick(4)] ?? "",
  coin: (pick) => ["tokens", "USDC", "ETH", "OP", "DEGEN", "USDT", "points"][pick(7)] ?? "",
  name: (pick) => ["Anna", "Kevin", "Maria", "Brian", "Sofia", "James"][pick(6)] ?? "",
};
const places = ["base", "app", "portal", "my", "secure", "go", "official", "dapp", "season", "hub"];
const goods = ["rewards", "airdrop", "wallet", "mint", "bonus", "claim", "support", "trade", "event"];
const paths = ["", "/", "/claim", "/?ref=7", "/start"];

/** The innermost choice of a template: {one|other|}. */
const choice = /\{([^{}]*)\}/;

/** One of the texts that a template stands for. */
function expand(template: string, random: () => number): string {
  const pick = (most: number) => Math.floor(random() * most);
  let text = template;
  for (let found = choice.exec(text); found; found = choice.exec(text)) {
    const options = (found[1] ?? "").split("|");
    const chosen = options.length === 1 ? made[options[0] ?? ""]?.(pick) : options[pick(options.length)];
    if (chosen === undefined) throw new Error(`${template} names {${options[0]}}, which is not known`);
    text = text.slice(0, found.index) + chosen + text.slice(found.index + found[0].length);
  }
  return text.replace(/ {2,}/g, " ").trim();
}

/** So many different texts, of each template about as many; the same seed gives the same. */
export function expandLures(templates: readonly string[], count: number, seed: number): string[] {
  const random = createRandom(seed);
  const texts = new Set<string>();
  for (let tries = 0; texts.size < count && tries < count * 20; tries++) {
    texts.add(expand(templates[tries % templates.length] ?? "", random));
  }
  return [...texts];
}
