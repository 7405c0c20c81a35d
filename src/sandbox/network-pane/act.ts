import { z } from "zod";
import { privateKeyToAccount } from "viem/accounts";
import { seconds } from "../../clock.ts";
import type { Network } from "../../contract/index.ts";
import { describeKeyAnswer, ownKeyRequestDomain } from "../../contract/key-request.ts";
import { describeClaim, liveNameDomain, type NameClaim } from "../../contract/name-claim.ts";
import { AppError } from "../../errors.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";

const channelId = z.string();
const fid = z.int();
const castHash = z.string();
const role = z.enum(["member", "moderator"]);

/** What a person can do in the pane; the network itself checks every value and every right. */
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
  z.object({ do: z.literal("answer-key"), request: z.string(), answer: z.enum(["approve", "refuse"]) }),
]);
export type PaneAction = z.infer<typeof PaneAction>;

/** Does what a person clicked, as that person; throws what the network answered. */
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
      await registerName(pane, person, action.name);
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
  { do: "cast" | "reply" | "remove-cast" | "register-name" | "answer-key" }
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
  if (cast.fid !== person.fid) throw new AppError("not_permitted", "Only its author can remove a cast.");
  await pane.operator.removeCast({ hash });
}

async function registerName(pane: NetworkPane, person: PanePerson, name: string): Promise<void> {
  if (!person.account) return;
  const claim: NameClaim = {
    name,
    owner: person.account.custodyAddress.toLowerCase() as `0x${string}`, // lower-casing hex keeps it hex
    timestamp: seconds(pane.clock),
  };
  const wallet = privateKeyToAccount(person.account.custodyKey);
  const network = pane.as(person);
  const { domain = liveNameDomain } = await network.registryInfo.signer({});
  const signature = await wallet.signTypedData(describeClaim(domain, claim));
  await network.transfers.create({ ...claim, from: 0, to: person.fid, fid: person.fid, signature });
}

/** Answers a signed key request, given by its token or any address that carries it, with the person's wallet. */
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
    key: key as `0x${string}`, // The network registers keys in this form alone.
    deadline,
  });
  const signature = await privateKeyToAccount(person.account.custodyKey).signTypedData(message);
  await signedKeyAnswers.answer({ token, userFid: person.fid, answer, signature });
}
