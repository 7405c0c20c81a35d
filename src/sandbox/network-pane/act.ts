import { z } from "zod";
import { privateKeyToAccount } from "viem/accounts";
import { seconds } from "../../clock.ts";
import type { Network } from "../../contract/index.ts";
import { describeKeyAnswer, ownKeyRequestDomain } from "../../contract/key-request.ts";
import { describeClaim, liveNameDomain, type NameClaim } from "../../contract/name-claim.ts";
import { AppError, asAppError, type ErrorCode } from "../../errors.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";

const channelId = z.string();
const fid = z.int();
const castHash = z.string();
const role = z.enum(["member", "moderator"]);

/** A person's actions in the pane. The network checks every value and every permission. */
export const PaneAction = z.discriminatedUnion("do", [
  z.object({ do: z.literal("follow"), channelId }),
  z.object({ do: z.literal("unfollow"), channelId }),
  z.object({ do: z.literal("invite"), channelId, fid, role }),
  z.object({ do: z.literal("remove"), channelId, fid, role }),
  z.object({ do: z.literal("answer"), channelId, role, accept: z.boolean() }),
  z.object({ do: z.literal("ban"), channelId, fid }),
  z.object({ do: z.literal("unban"), channelId, fid }),
  z.object({ do: z.literal("hide"), castHash }),
  z.object({ do: z.literal("unhide"), castHash }),
  z.object({ do: z.literal("pin"), castHash }),
  z.object({ do: z.literal("unpin"), channelId }),
  z.object({ do: z.literal("cast"), channelId, text: z.string().min(1) }),
  z.object({ do: z.literal("reply"), castHash, text: z.string().min(1) }),
  z.object({ do: z.literal("remove-cast"), castHash }),
  z.object({ do: z.literal("register-name"), name: z.string() }),
  z.object({ do: z.literal("release-name"), name: z.string() }),
  z.object({ do: z.literal("answer-key"), request: z.string(), answer: z.enum(["approve", "refuse"]) }),
]);
export type PaneAction = z.infer<typeof PaneAction>;

/** Performs a person's click as that person. Throws the network's errors. */
export async function actAs(pane: NetworkPane, person: PanePerson, action: PaneAction): Promise<void> {
  if (!person.account) {
    throw new AppError(
      "not_allowed",
      `The keys of ${person.name} are not known here, so you can only read as ${person.name}.`,
    );
  }
  const network = pane.as(person);
  switch (action.do) {
    case "cast":
      await pane.operator.cast({ fid: person.fid, text: action.text, channelId: action.channelId });
      return;
    case "reply":
      await pane.operator.cast({ fid: person.fid, text: action.text, parentHash: action.castHash });
      return;
    case "remove-cast":
      await removeOwnCast(pane, person, action.castHash);
      return;
    case "register-name":
      await transferName(pane, person, action.name, { from: 0, to: person.fid });
      return;
    case "release-name":
      await transferName(pane, person, action.name, { from: person.fid, to: 0 });
      return;
    case "answer-key":
      await answerKey(pane, person, action);
      return;
    default:
      await callNetwork(network, action);
  }
}

type CallAction = Exclude<
  PaneAction,
  { do: "cast" | "reply" | "remove-cast" | "register-name" | "release-name" | "answer-key" }
>;

async function callNetwork(network: Network, action: CallAction): Promise<unknown> {
  switch (action.do) {
    case "follow":
      return network.channelFollows.follow(action);
    case "unfollow":
      return network.channelFollows.unfollow(action);
    case "invite":
      return network.channelInvites.invite({ ...action, inviteFid: action.fid });
    case "remove":
      return network.channelInvites.remove({ ...action, removeFid: action.fid });
    case "answer":
      return network.channelInvites.answer(action);
    case "ban":
      return network.channelBans.ban({ ...action, banFid: action.fid });
    case "unban":
      return network.channelBans.unban({ ...action, unbanFid: action.fid });
    case "hide":
    case "unhide":
      return network.moderatedCasts.moderate({ castHash: action.castHash, action: action.do });
    case "pin":
      return network.pinnedCasts.pin(action);
    case "unpin":
      return network.pinnedCasts.unpin(action);
  }
}

/** The operator can remove any cast; a person only their own. */
async function removeOwnCast(pane: NetworkPane, person: PanePerson, hash: string): Promise<void> {
  const { cast } = await pane.operator.readCast({ hash });
  if (cast.fid !== person.fid) throw new AppError("not_permitted", "Only the author can remove a cast.");
  await pane.operator.removeCast({ hash });
}

/** Registers or releases a name with a claim signed by the person's wallet. */
async function transferName(
  pane: NetworkPane,
  person: PanePerson,
  name: string,
  parties: { from: number; to: number },
): Promise<void> {
  if (!person.account) return;
  const claim: NameClaim = {
    name,
    owner: person.account.custodyAddress.toLowerCase() as `0x${string}`, // Lower-casing a hex string keeps its type.
    timestamp: seconds(pane.clock),
  };
  const wallet = privateKeyToAccount(person.account.custodyKey);
  const network = pane.as(person);
  const { domain = liveNameDomain } = await network.registryInfo.signer({});
  const signature = await wallet.signTypedData(describeClaim(domain, claim));
  const transfer = { ...claim, ...parties, fid: person.fid, signature };
  await network.transfers.create(transfer).catch((error: unknown) => {
    throw explainTransfer(error, name);
  });
}

/** The registry returns a code without a reason, like the live one. */
function explainTransfer(error: unknown, name: string): unknown {
  const refused = asAppError(error);
  const reasons: Partial<Record<ErrorCode, string>> = {
    USERNAME_TAKEN: `The name ${name} belongs to somebody else.`,
    USERNAME_RESERVED: `The name ${name} is reserved.`,
    USERNAME_NOT_FOUND: `Nobody holds the name ${name}.`,
    INVALID_USERNAME: "A name has 1 to 16 characters from a-z, 0-9 and -, and does not begin with -.",
    TOO_MANY_NAMES: "You can have only one name. Give up yours first.",
    INVALID_TIMESTAMP: `The name ${name} was transferred a moment ago. Try again in a second.`,
    THROTTLED: `The name ${name} was transferred recently. Try again later.`,
  };
  const reason = refused && reasons[refused.code];
  return reason ? new AppError(refused.code, reason, { cause: error }) : error;
}

/** Answers a signed key request with the person's wallet. The request is given as its token or an address that contains it. */
async function answerKey(
  pane: NetworkPane,
  person: PanePerson,
  { request, answer }: Extract<PaneAction, { do: "answer-key" }>,
): Promise<void> {
  const [token] = /0x[0-9a-f]{24}\b/i.exec(request) ?? [];
  if (!person.account || !token) {
    throw new AppError("invalid_input", "That is not a key request. Paste its deeplink or its token.");
  }
  const { signedKeyAnswers } = pane.as(person);
  const { requestFid, key, deadline } = await signedKeyAnswers.question({ token });
  const message = describeKeyAnswer(ownKeyRequestDomain, {
    answer,
    token,
    userFid: person.fid,
    requestFid,
    key: key as `0x${string}`, // The network registers keys only in this form.
    deadline,
  });
  const signature = await privateKeyToAccount(person.account.custodyKey).signTypedData(message);
  await signedKeyAnswers.answer({ token, userFid: person.fid, answer, signature });
}
