/**
 * Hosts that no list may block as a whole: everybody's casts link to them, so one wrong line in a list would hide nearly
 * everything. Their subdomains (bad.google.com) can still be listed.
 */
export const commonHosts: ReadonlySet<string> = new Set(
  [
    // Hosts of casts, channels and their pictures.
    "farcaster.xyz client.farcaster.xyz warpcast.com client.warpcast.com neynar.com base.app zora.co paragraph.com paragraph.xyz mirror.xyz",
    "imagedelivery.net wrpcd.net cloudflarestream.com imgur.com i.imgur.com giphy.com media.giphy.com tenor.com",
    "google.com docs.google.com drive.google.com forms.google.com meet.google.com calendar.google.com forms.gle",
    "youtube.com m.youtube.com music.youtube.com youtu.be twitch.tv vimeo.com spotify.com open.spotify.com",
    "x.com twitter.com mobile.twitter.com t.co bsky.app facebook.com instagram.com threads.net tiktok.com reddit.com linkedin.com",
    "discord.com discord.gg t.me telegram.org whatsapp.com zoom.us",
    "apple.com apps.apple.com microsoft.com amazon.com github.com gist.github.com gitlab.com wikipedia.org en.wikipedia.org",
    "medium.com substack.com notion.so luma.com lu.ma",
    "ethereum.org base.org coinbase.com etherscan.io basescan.org opensea.io uniswap.org",
  ].flatMap((line) => line.split(" ")),
);
