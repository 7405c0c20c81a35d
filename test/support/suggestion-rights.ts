import { capabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { persons, staff, type Person, type Row } from "./rights.ts";

/* To whom something is offered while they type. */

const anyRight: Person[] = [...staff, ...capabilities.map((one): Person => `role:${one}`)];
const whoHas = (capability: Capability): Person[] => [...staff, `role:${capability}`];
export const everybody = persons;

/** What is offered while somebody types, by option; the first that fits the whole command counts. */
export const suggestions: Record<string, readonly Person[]> = {
  "setup unlink channel": ["managing owner", "manager", "linker", "role:link"],
  "feed add kinds": everybody,
  "feed edit kinds": everybody,
  "feed room mention_kinds": everybody,
  "ban duration": everybody,
  "rule sweep duration": everybody,
  "rule pause duration": everybody,
  "case edit duration": everybody,
  "strike duration": everybody,
  "lockdown duration": everybody,
  "review decide duration": everybody,
  "review decide queue": whoHas("view"),
  "review show queue": whoHas("view"),
  "report cast": everybody,
  "hide cast": whoHas("hide"),
  "undo what": [...staff, "role:hide", "role:ban"],
  "pin cast": whoHas("pin"),
  "rule explain cast": [...whoHas("view"), "role:hide"],
  "ban user": whoHas("ban"),
  "invite user": whoHas("invite"),
  "case show user": whoHas("view"),
  "review decide user": whoHas("view"),
  "feed remove number": [...whoHas("feeds"), "manager"],
  "feed edit number": whoHas("feeds"),
  // Its only channel is linked already.
  "setup link channel": [],
  "setup zone zone": everybody,
  "* channel": anyRight,
  "* user": anyRight,
  "* number": whoHas("view"),
  "invite bulk": whoHas("view"),
  "* reason": anyRight,
  "setup reasons remove": anyRight,
  "setup reasons duration": everybody,
  "setup tokens expires": everybody,
  "* name": whoHas("view"),
  "* rule": whoHas("rules"),
  "* list": whoHas("rules"),
  // Of the list that is named.
  "list remove values": [],
  "list add cast": whoHas("rules"),
};

/** To whom something is offered where the only link is suspended, and where there is none. */
export const suggestedElsewhere: Record<string, Pick<Row, "suspended" | "unlinked">> = {
  "setup unlink channel": { suspended: ["managing owner", "manager", "linker", "role:link"] },
  "setup link channel": { suspended: ["managing owner", "manager"], unlinked: ["managing owner"] },
  "feed remove number": {
    suspended: ["managing owner", "manager"],
    unlinked: ["managing owner", "manager"],
  },
};
