/**
 * A person you can act as in the sandbox, on the network and in the chat server. Their accounts are created with a
 * data directory: an existing directory does not get new personas.
 */
export interface Persona {
  fid: number;
  name: string;
  /** Discord user id, which is also their verified account on the network; the stranger has none. */
  userId: string;
  verified: boolean;
  /** The person's first role, as the page describes it. `sample-network.ts` assigns the role. */
  part: "owner" | "moderator" | "member" | "follower" | "stranger";
}

/**
 * fids 1 to 5, each with a role in `garden`, which is not linked at first. Their accounts on the network and in the
 * chat server are derived from this list.
 */
export const personas: readonly Persona[] = [
  { fid: 1, name: "ada", userId: "700000000000000001", verified: true, part: "owner" },
  { fid: 2, name: "mo", userId: "700000000000000002", verified: true, part: "moderator" },
  { fid: 3, name: "mel", userId: "700000000000000003", verified: true, part: "member" },
  { fid: 4, name: "nia", userId: "700000000000000004", verified: true, part: "follower" },
  { fid: 5, name: "sam", userId: "700000000000000005", verified: false, part: "stranger" },
];

/** Names of the users that the sandbox plays automatically: fids 11 and up. */
export const residentNames: readonly string[] = (
  "oona brook cedar dara elio fern gil hana ivo juno kit lark " +
  "mika nell oren pia quill rook sol tove uma vale wren yuki"
).split(" ");

export const firstResidentFid = 11;

/** The resident who moderates `night-market` and hides spam without Castellan. */
export const outsideModeratorFid = firstResidentFid;
