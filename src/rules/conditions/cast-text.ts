/** Conditions on the cast's own content. None needs a fact. */
import { countPoints } from "../../text/message-text.ts";
import { textTests } from "../comparisons/text-tests.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { textLimit } from "../text/rule-text.ts";
import { countLinks, countPictures } from "../text/web-links.ts";
import { eventField, flagCondition, notKnown, numberCondition, textCondition } from "./make-condition.ts";

export const castNotKnown = "the cast is not in the index";
export const onlyFirstPart = "only the first part of this long text was read";
const textNotKnown = "the cast's text is not in the index";

/** The network rejects casts with more mentions. */
const maxMentions = 10;

/** The text of the cast. */
export const text = textCondition({
  name: "text",
  called: "the text",
  events: textEvents,
  tests: textTests,
  prefiltered: true,
  field: eventField(({ text }) => (text ? [text] : notKnown(textNotKnown))),
});

/** The number of visible characters, as people count them. */
export const textLength = numberCondition({
  name: "text.length",
  called: "the text's length",
  events: textEvents,
  most: textLimit,
  field: eventField(({ text }) => {
    if (!text) return notKnown(textNotKnown);
    const length = countPoints(text.plain);
    return text.cut ? notKnown(onlyFirstPart, length) : length;
  }),
});

/** The number of web addresses in the cast's text or embeds, without pictures and videos on the apps' hosts. */
export const textLinks = numberCondition({
  name: "text.links",
  called: "the number of links in the cast",
  events: textEvents,
  clues: { links: true },
  field: eventField(({ cast, text }) => {
    if (!text) return notKnown(textNotKnown);
    const links = countLinks({ cast, text });
    if (text.cut) return notKnown(onlyFirstPart, links);
    return cast ? links : notKnown("what the cast embeds is not in the index", links);
  }),
});

/** The number of embedded pictures and videos on the apps' hosts. */
export const embedPictures = numberCondition({
  name: "embed.pictures",
  called: "the number of pictures in the cast",
  events: textEvents,
  clues: { links: true },
  field: eventField(({ cast }) => (cast ? countPictures(cast) : notKnown(castNotKnown))),
});

/** How many users the cast mentions. */
export const mentionsCount = numberCondition({
  name: "mentions.count",
  called: "the number of mentions",
  events: ["cast.created"],
  most: maxMentions,
  field: eventField(({ cast }) => cast?.mentions ?? notKnown("the cast's mentions are not in the index")),
});

/** Whether the cast answers another. */
export const isReply = flagCondition({
  name: "is_reply",
  events: textEvents,
  yes: "the cast is a reply",
  no: "the cast is not a reply",
  field: eventField(({ cast }) => (cast ? cast.threadDepth > 0 : notKnown(castNotKnown))),
});

/** The distance to the thread's first cast; 0 for the first. */
export const threadDepth = numberCondition({
  name: "thread.depth",
  called: "the depth in the thread",
  events: textEvents,
  field: eventField(({ cast }) => cast?.threadDepth ?? notKnown(castNotKnown)),
});
