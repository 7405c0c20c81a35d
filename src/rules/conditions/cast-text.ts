/** Conditions on what stands in the cast itself: none of them needs a fact. */
import { countPoints } from "../../text/message-text.ts";
import { textTests } from "../comparisons/text-tests.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { textLimit } from "../text/rule-text.ts";
import { countLinks, countPictures } from "../text/web-links.ts";
import { eventField, flagCondition, notKnown, numberCondition, textCondition } from "./make-condition.ts";

export const castNotKnown = "the cast is not in the index";
export const onlyFirstPart = "only the first part of this long text was read";
const textNotKnown = "the cast's text is not in the index";

/** The network takes no cast that mentions more users. */
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

/** How many characters the text has, as people count them, without what does not show. */
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

/** How many web addresses the cast has, in its text or embedded; pictures and videos where apps put them are none. */
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

/** How many pictures and videos the cast embeds, where apps put them. */
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

/** How many casts up the thread's first one is; 0 for the first. */
export const threadDepth = numberCondition({
  name: "thread.depth",
  called: "the depth in the thread",
  events: textEvents,
  field: eventField(({ cast }) => cast?.threadDepth ?? notKnown(castNotKnown)),
});
