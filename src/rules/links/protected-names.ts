/** A name that people trust with their money, and its real site. */
export interface ProtectedName {
  /** Only letters and digits, in lower case. */
  name: string;
  /** Its own registrable domains. */
  domains: readonly string[];
  /** A common word, or part of others' names: suspicious only next to a lure. */
  isWord?: boolean;
}

const own = (name: string, ...domains: string[]): ProtectedName => ({ name, domains });
const word = (name: string, ...domains: string[]): ProtectedName => ({ name, domains, isWord: true });

/** Wallets, exchanges, and other places where tokens are held, traded or claimed. */
export const wellKnownNames: readonly ProtectedName[] = [
  own("metamask", "metamask.io", "metamask.com", "metamask.github.io"),
  own("myetherwallet", "myetherwallet.com"),
  own("trustwallet", "trustwallet.com"),
  own("walletconnect", "walletconnect.com", "walletconnect.org", "walletconnect.network"),
  own("coinbase", "coinbase.com", "coinbase.github.io"),
  own("binance", "binance.com", "binance.us", "binance.org", "binance.vision"),
  own("etherscan", "etherscan.io"),
  own("basescan", "basescan.org"),
  own("uniswap", "uniswap.org", "uniswap.com", "uniswap.github.io"),
  own("pancakeswap", "pancakeswap.finance", "pancakeswap.com"),
  own("sushiswap", "sushiswap.fi", "sushi.com"),
  own("opensea", "opensea.io", "opensea.com"),
  own("magiceden", "magiceden.io", "magiceden.com"),
  own("solflare", "solflare.com"),
  own("coingecko", "coingecko.com"),
  own("coinmarketcap", "coinmarketcap.com"),
  own("dexscreener", "dexscreener.com"),
  own("bitfinex", "bitfinex.com"),
  own("bitstamp", "bitstamp.net"),
  own("warpcast", "warpcast.com"),
  word("trezor", "trezor.io"),
  word("ledger", "ledger.com", "ledgerwallet.com"),
  word("phantom", "phantom.com", "phantom.app"),
  word("rainbow", "rainbow.me"),
  word("rabby", "rabby.io"),
  word("zerion", "zerion.io"),
  word("exodus", "exodus.com"),
  word("safe", "safe.global"),
  word("kraken", "kraken.com"),
  word("kucoin", "kucoin.com"),
  word("gemini", "gemini.com", "gemini.google.com"),
  word("bybit", "bybit.com"),
  word("bitget", "bitget.com"),
  word("okx", "okx.com"),
  word("arbitrum", "arbitrum.io", "arbitrum.foundation"),
  word("optimism", "optimism.io"),
  word("zksync", "zksync.io"),
  word("lido", "lido.fi"),
  word("aave", "aave.com"),
  word("blur", "blur.io"),
  word("zora", "zora.co"),
  word("base", "base.org"),
  word("raydium", "raydium.io"),
  word("farcaster", "farcaster.xyz"),
  word("neynar", "neynar.com"),
  word("ethereum", "ethereum.org"),
  word("solana", "solana.com", "solana.org"),
];

/** Promises and demands in addresses that borrow a name; "support" and "help" are on too many honest ones. */
export const lureWords: ReadonlySet<string> = new Set(
  `airdrop airdrops allocation auth bonus bridge claim claims claiming connect drop eligibility eligible free gift
   giveaway kyc login migrate migration mint official portal presale recover recovery redeem refund restore reward rewards
   secure security signin snapshot stake staking sync token tokens unlock update validate validation verification verify
   wallet whitelist`.split(/\s+/),
);
