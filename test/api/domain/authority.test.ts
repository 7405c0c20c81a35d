import { expect, it } from "vitest";
import {
  banUser,
  removeUser,
  unbanUser,
  type ChannelRole,
  type Standing,
  type State,
} from "../../../src/api/domain/membership.ts";
import { asAppError } from "../../../src/errors.ts";

type Call = (standing: Standing, caller: ChannelRole | undefined) => Standing;
const removeMember: Call = (standing, caller) => removeUser(standing, "member", caller);
const removeModerator: Call = (standing, caller) => removeUser(standing, "moderator", caller);

const notOwner = "!not_owner";
/** What a call of the owner makes of a user, and what a moderator's does; "!" a refusal with its reason. */
const table: [what: string, call: Call, state: State, byOwner: string, byModerator: string][] = [
  ["ban", banUser, "stranger", "banned", "banned"],
  ["ban", banUser, "invited", "banned", "banned"],
  ["ban", banUser, "restricted", "banned", "banned"],
  ["ban", banUser, "member", "banned", "banned"],
  ["ban", banUser, "nominated", "banned", "banned"],
  ["ban", banUser, "moderator", "banned", "!cannot_ban_moderator"],
  ["ban", banUser, "appointed", "banned", "!cannot_ban_moderator"],
  ["ban", banUser, "owner", "!cannot_ban_owner", "!cannot_ban_owner"],
  ["unban", unbanUser, "banned", "restricted", "restricted"],
  ["removal as a member", removeMember, "member", "restricted", "restricted"],
  ["removal as a member", removeMember, "invited", "stranger", "stranger"],
  ["removal as a member", removeMember, "moderator", "moderator", "moderator"],
  ["removal as a member", removeMember, "appointed", "appointed", "appointed"],
  ["removal as a member", removeMember, "owner", "!cannot_remove_owner", "!cannot_remove_owner"],
  ["removal as a moderator", removeModerator, "moderator", "member", notOwner],
  ["removal as a moderator", removeModerator, "nominated", "member", notOwner],
  ["removal as a moderator", removeModerator, "appointed", "stranger", notOwner],
];

const rows = table.map((row) => [`${row[0]} of a user who is ${row[2]}`, row] as const);

it.each(rows)("%s is for owner and moderators, as far as they may", (_, row) => {
  const [, call, state, byOwner, byModerator] = row;
  const sentences: string[] = [];
  const outcome = (caller: ChannelRole | undefined) => {
    try {
      return call({ state, answers: { member: undefined, moderator: undefined } }, caller).state;
    } catch (error) {
      const refusal = asAppError(error);
      sentences.push(refusal?.message ?? "");
      return `!${refusal?.code}`;
    }
  };
  expect(outcome("owner")).toBe(byOwner);
  expect(outcome("moderator")).toBe(byModerator);
  for (const caller of ["member", undefined] as const) expect(outcome(caller)).toBe("!not_permitted");
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/);
});
