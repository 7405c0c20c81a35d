/** A word that the project is leaving behind, and what it says in its place. */
export interface OldWord {
  /**
   * A regular expression of whole words: `told` is found in "told", `toldAt` and `told_at`, not in "untold". A space stands
   * for a hyphen or a line's end, too; `·` joins the parts of a name.
   */
  word: string;
  instead: string;
}

/** In names, comments, messages and documents. */
export const oldWordsAnywhere: OldWord[] = [
  { word: "told|untold", instead: "notified, announced, posted, pending" },
  { word: "deeds?", instead: "action, PostGroup" },
  { word: "lanes?", instead: "target key, room queue" },
  { word: "patience", instead: "timeout" },
  { word: "mend(s|ed|ing)?", instead: "fix" },
  { word: "heed(s|ed|ing)?", instead: "unignore" },
  { word: "asker", instead: "actor" },
  { word: "needless(ly)?", instead: "noChange" },
  { word: "anew", instead: "again" },
  { word: "beside", instead: "next to, with" },
  { word: "whoever|whom", instead: "the subject's name" },
  { word: "pok(e|es|ed|ing)", instead: "wake" },
  { word: "rest(s|ed|ing)", instead: "backoff, idle" },
  { word: "(is|was|already|found) so(?! (that|far|long|many|much))", instead: "already in that state" },
  { word: "(hold|holds|holding|held) back", instead: "queue for review" },
  { word: "new end|said ends?", instead: "change_expiry, ban_expiries" },
  { word: "end(s|ed) in time", instead: "expired" },
  { word: "for good", instead: "permanently" },
  { word: "of (ours|theirs)", instead: "our, their" },
  { word: "by (itself|themselves)", instead: "automatically" },
  { word: "ways? in", instead: "onboarding" },
  { word: "came and went", instead: "short-lived" },
  { word: "(take|takes|taken|took|taking) back", instead: "undo" },
  { word: "(stand|stands|stood|standing) still", instead: "has stalled" },
  { word: "(?<!there )(is|are|was|were) no(?! (longer|more than))", instead: "is not a" },
  { word: "what is kept", instead: "stored data" },
  { word: "(a|one|each|this|new|open) matters?", instead: "review item" },
  { word: "furnish|settle world|cast of characters", instead: "seed, personas" },
  {
    word: "take turn|until asked|short memory|share looks",
    instead: "mutex, runUntilSignal, TtlCache, singleFlight",
  },
];

/** Ordinary words that are poor names: they count in code and file names alone. */
export const oldNames: OldWord[] = [
  { word: "kept", instead: "stored, cached" },
  { word: "[a-z]+·rest|rest·[a-z]+", instead: "backoff, idle" },
  { word: "most|least", instead: "max…, min…" },
  { word: "longest|shortest", instead: "max…Ms, min…Ms" },
  { word: "matters?", instead: "review item" },
  { word: "asked", instead: "requested" },
  { word: "about", instead: "subject" },
  { word: "tells?", instead: "notify, announce" },
  { word: "hears?|heard", instead: "addSample, onEvent" },
  { word: "doubts?|doubted", instead: "reset" },
  { word: "blames?|blamed", instead: "classify" },
  { word: "sights?|sighted", instead: "state" },
  { word: "looks?(?! (up|alike|like|for|ahead|behind))", instead: "read, check" },
  { word: "aside", instead: "ephemeral" },
  { word: "refusals?", instead: "error" },
  { word: "shelf|shelves", instead: "index" },
  { word: "near", instead: "a subject and a unit" },
  { word: "relax(ed)?", instead: "lenient" },
];
