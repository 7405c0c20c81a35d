import { findAddresses, hostsOfAddress, isWithin, withScheme } from "./address.ts";

/**
 * Sites on which anybody can publish: a cast that links there is not suspicious for it. By registrable domain; tldts knows
 * those that give everybody a subdomain (github.io).
 */
export const sharedSites: ReadonlySet<string> = new Set(
  [
    // Hosts to which apps upload the pictures and videos of casts.
    "imagedelivery.net wrpcd.net cloudflarestream.com pinata.cloud mypinata.cloud ipfs.io dweb.link arweave.net irys.xyz",
    "farcaster.xyz warpcast.com neynar.com zora.co paragraph.com paragraph.xyz mirror.xyz base.app",
    "x.com twitter.com t.co bsky.app threads.net facebook.com fb.com fb.me instagram.com tiktok.com reddit.com redd.it",
    "linkedin.com pinterest.com tumblr.com vk.com weibo.com quora.com mastodon.social",
    "youtube.com youtu.be twitch.tv vimeo.com spotify.com soundcloud.com imgur.com giphy.com tenor.com flickr.com",
    "t.me telegram.me telegram.org discord.com discord.gg discordapp.com whatsapp.com wa.me signal.me zoom.us",
    "google.com goo.gl forms.gle youtube-nocookie.com apple.com microsoft.com amazon.com dropbox.com notion.so notion.site",
    "medium.com substack.com wikipedia.org archive.org github.com gitlab.com stackoverflow.com figma.com canva.com",
    "lu.ma luma.com eventbrite.com calendly.com typeform.com patreon.com gofundme.com kickstarter.com",
    "bit.ly tinyurl.com linktr.ee cutt.ly rebrand.ly is.gd ow.ly buff.ly shorturl.at",
  ].flatMap((line) => line.split(" ")),
);

/** Hosts with only pictures and videos uploaded by apps. */
const pictureHosts = ["imagedelivery.net", "wrpcd.net", "cloudflarestream.com"];
/** Hosts for anything, where pictures are recognized by their name. */
const mixedHosts =
  "imgur.com giphy.com tenor.com pinata.cloud mypinata.cloud ipfs.io dweb.link arweave.net irys.xyz farcaster.xyz warpcast.com googleusercontent.com twimg.com redd.it discordapp.com discordapp.net flickr.com".split(
    " ",
  );
const pictureName = /\.(?:apng|avif|bmp|gif|heic|jpe?g|jxl|m3u8|m4v|mov|mp4|png|svg|tiff?|webm|webp)$/i;

/** Whether an embedded address is a picture or video uploaded by an app: it is shown in place, and leads nowhere. */
export function isPicture(address: string): boolean {
  const [host] = hostsOfAddress(address);
  if (host === undefined) return false;
  if (pictureHosts.some((one) => isWithin(host, one))) return true;
  if (!mixedHosts.some((one) => isWithin(host, one))) return false;
  const [found] = findAddresses(withScheme(address));
  const whole = found?.address ?? address;
  if (!URL.canParse(whole)) return false;
  const { pathname, searchParams } = new URL(whole);
  return pictureName.test(pathname) || pictureName.test(nameInQuery(host, searchParams));
}

/** On some sites, the picture's name or type is in the query; they show it only as a picture. */
function nameInQuery(host: string, query: URLSearchParams): string {
  if (isWithin(host, "mypinata.cloud")) return query.get("filename") ?? "";
  return host === "pbs.twimg.com" ? `.${query.get("format") ?? ""}` : "";
}
