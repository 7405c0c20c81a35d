const isNoMember = { "author.is_member": false };
const hasLink = { "text.links": { gte: 1 } };
const hold = [{ review: { queue: "links" } }];

/** Rules that look at how accounts behave, whatever they write. */
export const behaviourRules = [
  {
    id: "first-links",
    what: "Holds for review links in the first cast of anyone who is not a member.",
    entry: {
      id: "first-links",
      on: ["cast.created"],
      when: { all: [{ "author.casts": { eq: 1 } }, hasLink, isNoMember] },
      then: hold,
    },
  },
  {
    id: "link-waves",
    what: "Holds for review an address that three people or more cast within ten minutes, where a non-member casts it.",
    entry: {
      id: "link-waves",
      on: ["cast.created"],
      when: { all: [{ same_address: { of: "address", within: "10m", gte: 3 } }, isNoMember] },
      then: hold,
    },
  },
  {
    id: "same-replies",
    what: "Hides what a non-member answers to the fifth person within an hour, with a word or two changed or none.",
    entry: {
      id: "same-replies",
      on: ["cast.created"],
      when: { all: [{ same_reply: { within: "1h", gte: 5 } }, { "text.length": { gte: 20 } }, isNoMember] },
      then: [{ hide: {} }, { strike: { points: 1, ttl: "7d" } }],
      limits: { breaker: { max: 30, per: "1h", then: "review" } },
    },
  },
  {
    id: "renamed-links",
    what: "Holds for review links of non-members who changed their name within a day.",
    entry: {
      id: "renamed-links",
      on: ["cast.created"],
      when: { all: [{ "author.renamed": { within: "1d" } }, hasLink, isNoMember] },
      then: hold,
    },
  },
] as const;
