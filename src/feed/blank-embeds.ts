import type { RoomEmbed } from "./rooms.ts";

/**
 * The stored content of an unsent message, without what these embeds say (all of them by default). Footer and time remain,
 * because they identify a message that was posted before a crash.
 */
export function blankEmbeds(
  embeds: string,
  description: string,
  isMeant: (embed: RoomEmbed) => boolean = () => true,
): string {
  const blank = (JSON.parse(embeds) as RoomEmbed[]) // written by bindMessage
    .map((embed) => {
      if (!isMeant(embed)) return embed;
      const { title: _title, fields: _fields, url: _url, image: _image, ...rest } = embed;
      return { ...rest, description };
    });
  return JSON.stringify(blank);
}
