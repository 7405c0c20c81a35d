const matches = (pattern: string) => ({ text: { matches: `(?i)${pattern}` } });

/** Lures that lead somewhere: they count only with a link, written or embedded. */
const lures = [
  String.raw`\b(claim|redeem)\b.{0,40}\b(airdrop|drop|free|tokens?|rewards?|nfts?|usdc|usdt|eth|refund|prize|share|yours|bonus|here|now)\b`,
  String.raw`\b(airdrop|eligible|eligibility|giveaway|allocation|refund|compensation|rewards?|selected)\b.{0,60}\b(claim|redeem|connect|unclaimed)\b`,
  String.raw`\b(check your eligibility|airdrop is live|free mint|unclaimed|mystery box|free (nft|whitelist|spins)|whitelist is open)\b`,
  String.raw`\bmint\b.{0,20}\b(free|now)\b`,
  String.raw`\b(connect|verify|validate|sync|synchroni[sz]e|restore|unlock|migrate) (your|ur) (wallet|account|tokens?)\b`,
  String.raw`\bconnect wallet\b|\btoken migration\b|\bverify (it|now)\b|\bverify your account\b`,
  String.raw`\byour (wallet|account)\b.{0,30}\b(suspended|limited|closed|eligible|synchroni[sz]ed|verify|validate)\b`,
  String.raw`\b(official|our) support\b.{0,30}\b(verify|validate|ticket|help)\b`,
  String.raw`\bpresale\b.{0,30}\b(live|ends|closes|buy)\b`,
  String.raw`\b(casino|bet|bets)\b.{0,25}\b(bonus|win big)\b`,
  String.raw`\b(12|24) words\b`,
];

/** Lures that need no link. */
const schemes = [
  String.raw`\b(enter|submit|import|confirm|share|send|provide)\b.{0,20}\b(seed phrase|recovery phrase|secret phrase|private key)\b`,
  String.raw`\bdouble (your|ur) (eth|btc|bitcoin|money|crypto|coins|tokens)\b`,
  String.raw`\bsend [0-9.]+ ?(eth|btc|usdt|usdc|sol)\b.{0,25}\b(get|receive)\b`,
  String.raw`\b(guaranteed (profit|returns)|(profit|returns) guaranteed)\b`,
  String.raw`\b(earn|make|made|withdrew)\b.{0,6}[0-9][0-9.,]*.{0,25}\b(daily|a day|per day|a week|weekly|in one week)\b`,
  String.raw`\b(trader|mentor|hackers?|funds|crypto|coins|signals|rich|badge|forex|earn)\b.{0,80}\b(on telegram|on whatsapp|whatsapp \+|dm (me|us|to))`,
  String.raw`\b(forex|trading|binary) (signals?|bot|options)\b`,
  String.raw`\b(buy|real|cheap) .{0,10}followers\b|\bhot (girls|singles)\b`,
];

/** The same in other languages. */
const abroad = [
  "(reclama|resgate|réclamez|recibe|receba|klaim|nhận|erhalte|hol dir).{0,35}(airdrop|tokens?|jetons|recompensa)",
  "airdrop.{0,25}(gratis|grátis|gratuit|ücretsiz|miễn phí|hemen|başladı)",
  "(ücretsiz|kostenlosen?|gratis|grátis) (airdrop|tokens?)|jetons gratuits",
  "бесплатн[а-я]* (аирдроп|токен)|(забери|получи).{0,25}(аирдроп|токен)|подключи.{0,8}кошел",
  "领取.{0,6}(空投|代币|奖励)|空投.{0,10}领取|無料.{0,8}(トークン|エアドロップ)|エアドロップ.{0,10}(受け取|請求)",
  "무료 ?(토큰|에어드랍)|에어드랍.{0,8}(신청|받기)|मुफ़्त.{0,6}(टोकन|एयरड्रॉप)",
];

/** People who warn about scams use the same words. */
const warnings = String.raw`\b(never|do not|don'?t|careful|beware|psa|phishing|no guaranteed|is .{0,30}real|a scam)\b`;

/** The rule as written in a file. */
export const scamLinks = {
  priority: 100,
  on: ["cast.created"],
  when: {
    all: [
      {
        any: [
          { all: [{ "text.links": { gte: 1 } }, { any: [...lures, ...abroad].map(matches) }] },
          ...schemes.map(matches),
        ],
      },
      { not: matches(warnings) },
      { "author.is_member": false },
    ],
  },
  then: [{ hide: {} }, { strike: { points: 2, ttl: "30d" } }],
  limits: { breaker: { max: 30, per: "1h", then: "review" } },
  on_unknown: "review",
};
