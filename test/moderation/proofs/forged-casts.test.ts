import { beforeEach, describe, expect, test } from "vitest";
import type { BotContext } from "../../../src/bot-context.ts";
import { AppError } from "../../../src/errors.ts";
import type { RoomMessage } from "../../../src/feed/rooms.ts";
import { judgeCodeCasts } from "../../../src/moderation/proofs/judge-code-casts.ts";
import { giveCode } from "../../../src/moderation/proofs/link-codes.ts";
import { describeSignedText, proveBySignature } from "../../../src/moderation/proofs/prove-by-signature.ts";
import { listProofs } from "../../../src/moderation/proofs/staff-proofs.ts";
import { codeCastText } from "../../../src/observe/hub/code-casts.ts";
import { pollHub } from "../../../src/observe/hub/poll-hub.ts";
import type { Witness } from "../../../src/observe/live/witnesses.ts";
import { createFarClient } from "../../client/far-client.ts";
import { applicationKey, signHubMessage, type LiveMessage } from "../../live/live-messages.ts";
import { useLiveHub } from "../../live/live-scene.ts";
import { witnessesOf } from "../../live/witnesses.ts";
import { sendNow } from "../../support/outbox.ts";
import { custodyOf } from "../../support/signing.ts";
import { people, silentRooms } from "../../support/world.ts";

const scene = useLiveHub();
const actor = { userId: "100", guildId: "900", roomId: "77", roleIds: [], managesServer: true };
const told: string[] = [];
const rooms = {
  ...silentRooms,
  post: async (_room: string, { embeds }: RoomMessage) => {
    told.push(embeds[0]?.description ?? "");
    return "1";
  },
};
const hosted: Partial<Witness> = { host: "hub.one.example", own: false };

beforeEach(async () => {
  told.length = 0;
  await scene.observer.network.seed.channel("art", { owner: people.owner, moderators: [people.moderator] });
  listKey(people.owner, applicationKey(people.owner).key);
});

function listKey(fid: number, key: string): void {
  scene.chain.signers.set(fid, [{ source: "SIGNER_SOURCE_ONCHAIN", key, keyType: 1, fid }]);
}

type HubOf = { hub: BotContext["network"]["hub"] } & Partial<Witness>;

/** The bot as it believes the hub that it reads: and others beside it. */
function believe(
  mark: Partial<Witness> = {},
  others: HubOf[] = [],
  registry: Partial<Witness> = {},
): BotContext {
  const { context } = scene;
  if (!context.live) throw new Error("the network is elsewhere");
  const witnesses = witnessesOf([{ ...mark, hub: context.network.hub }, ...others], registry);
  return { ...context, live: { ...context.live, witnesses } };
}

/** Another hub that answers this of keys. */
function otherHub(
  signersByFid: BotContext["network"]["hub"]["signersByFid"],
  host = "hub.two.example",
): HubOf {
  return { host, own: false, hub: { ...scene.context.network.hub, signersByFid } };
}

async function castOf(
  fid: number,
  change: (message: LiveMessage) => LiveMessage = (message) => message,
): Promise<void> {
  const code = await giveCode(scene.context, actor, "art");
  const { message } = scene.chain.cast({ fid, text: codeCastText(code), at: scene.now() });
  const merged = { message: change(message), deletedMessages: [] };
  scene.chain.confirm(1, scene.now(), [{ type: "HUB_EVENT_TYPE_MERGE_MESSAGE", mergeMessageBody: merged }]);
}

async function check(bot: BotContext): Promise<void> {
  await pollHub(scene.context);
  await judgeCodeCasts(bot);
  await sendNow(bot, rooms);
}

const proofs = () => listProofs(scene.context.database.query, "900", "art");

/** Signed by a key that is not the author's. */
function signedBy(other: number) {
  return (message: LiveMessage): LiveMessage => {
    const { signer, signature } = signHubMessage({ ...message.data, fid: other });
    return { ...message, signer, signature };
  };
}

describe("a cast with a code, as a hub tells of it, proves nothing", () => {
  const lies: [string, (message: LiveMessage) => LiveMessage][] = [
    [
      "without a signature, under an invented hash",
      (message) => ({
        ...message,
        hash: `0x${"ab".repeat(20)}`,
        signature: "",
        signatureScheme: "SIGNATURE_SCHEME_NONE" as LiveMessage["signatureScheme"],
        signer: "0x",
      }),
    ],
    ["without a signature", (message) => ({ ...message, signature: "" })],
    ["under another hash", (message) => ({ ...message, hash: `0x${"cd".repeat(20)}` })],
    ["with a signature of another message", signedBy(people.troll)],
    ["with another author", (message) => ({ ...message, data: { ...message.data, fid: people.moderator } })],
    [
      "of another time",
      (message) => ({ ...message, data: { ...message.data, timestamp: message.data.timestamp - 1 } }),
    ],
  ];
  test.each(lies)("%s, whosever the hub is, and the room hears that", async (_name, change) => {
    listKey(people.moderator, applicationKey(people.owner).key);
    await castOf(people.owner, change);
    await check(believe());
    expect(await proofs()).toEqual([]);
    expect(told).toEqual([expect.stringContaining("no key of that account signed the cast")]);
  });

  test("signed by a key that the author does not have", async () => {
    listKey(people.owner, applicationKey(people.troll).key);
    await castOf(people.owner);
    await check(believe());
    expect(await proofs()).toEqual([]);
    expect(told).toEqual([expect.stringContaining("no key of that account signed the cast")]);
  });

  test("signed by a key that has come to an end", async () => {
    const { key } = applicationKey(people.owner);
    scene.chain.signers.set(people.owner, [
      { source: "SIGNER_SOURCE_OFFCHAIN", key, expiresAt: scene.now() - 1 },
    ]);
    await castOf(people.owner);
    await check(believe());
    expect(await proofs()).toEqual([]);
  });

  const alone: [string, () => BotContext][] = [
    ["one hub of somebody else's", () => believe(hosted)],
    [
      "two hubs of one host",
      () => believe(hosted, [otherHub(scene.context.network.hub.signersByFid, "two.one.example")]),
    ],
    [
      "two hubs over plain http",
      () =>
        believe({ ...hosted, secure: false }, [
          { ...otherHub(scene.context.network.hub.signersByFid), secure: false },
        ]),
    ],
    ["a second hub that knows no such key", () => believe(hosted, [otherHub(async () => ({ signers: [] }))])],
    ["the name registry, which knows no keys", () => believe(hosted, [], { own: true })],
  ];
  test.each(alone)("by the word of %s", async (_name, bot) => {
    await castOf(people.owner);
    await check(bot());
    expect(await proofs()).toEqual([]);
    expect(told).toEqual([expect.stringContaining("one hub alone proves nothing")]);
  });
});

describe("a cast that its author signed proves who they are", () => {
  const believed: [string, () => BotContext][] = [
    ["an own hub", () => believe()],
    [
      "two hubs of different hosts",
      () => believe(hosted, [otherHub(scene.context.network.hub.signersByFid)]),
    ],
    [
      "two hubs, one of them over plain http",
      () => believe({ ...hosted, secure: false }, [otherHub(scene.context.network.hub.signersByFid)]),
    ],
  ];
  test.each(believed)("by the word of %s", async (_name, bot) => {
    await castOf(people.owner);
    await check(bot());
    expect(await proofs()).toMatchObject([{ fid: people.owner, method: "cast" }]);
  });

  test("by a key on a later page", async () => {
    const { key } = applicationKey(people.owner);
    const paged = otherHub(async ({ pageToken }) =>
      pageToken === "next" ? { signers: [{ key }] } : { signers: [], nextPageToken: "next" },
    );
    await castOf(people.owner);
    await check(believe({}, [paged]));
    expect(await proofs()).toHaveLength(1);
  });

  test("once the second hub answers, and not at all where it stays away", async () => {
    const away = otherHub(async () => {
      throw new AppError("network_unreachable", "The hub did not answer.");
    });
    await castOf(people.owner);
    await expect(check(believe(hosted, [away]))).rejects.toMatchObject({ code: "network_unreachable" });
    expect(told).toEqual([]);
    await check(believe(hosted, [otherHub(scene.context.network.hub.signersByFid)]));
    expect(await proofs()).toHaveLength(1);
    const other = { ...actor, userId: "101" };
    const code = await giveCode(scene.context, other, "art");
    const { merged } = scene.chain.cast({ fid: people.owner, text: codeCastText(code), at: scene.now() });
    scene.chain.confirm(1, scene.now(), [merged]);
    await pollHub(scene.context);
    scene.observer.context.clock.advance(31 * 60);
    await check(believe(hosted, [away]));
    expect(await proofs()).toHaveLength(1);
    expect(told.at(-1)).toContain("one hub alone proves nothing");
  });
});

describe("a signature by the custody wallet that a hub names", () => {
  const wallet = custodyOf(people.owner);
  async function prove(bot: BotContext): Promise<number> {
    scene.chain.custody.set(people.owner, wallet.address);
    const text = describeSignedText(bot, await giveCode(bot, actor, "art"));
    return proveBySignature(bot, actor, "art", await wallet.signMessage({ message: text }));
  }
  const registryOf = (owner: string, to: number = people.owner) => {
    const bot = believe(hosted);
    const transfer = {
      id: 1,
      timestamp: 1,
      username: "o",
      owner,
      from: 0,
      to,
      user_signature: "0x",
      server_signature: "0x",
    };
    const transfers = {
      ...bot.network.transfers,
      current: async () => ({ transfer, transfers: [transfer] }),
    };
    return { ...bot, network: { ...bot.network, transfers } };
  };

  test("proves nothing by that hub's word alone, nor where the registry knows another owner", async () => {
    const nobody = new AppError("not_found", "No transfer found");
    const without = registryOf(wallet.address);
    without.network.transfers.current = () => Promise.reject(nobody);
    for (const bot of [
      without,
      registryOf(custodyOf(people.troll).address),
      registryOf(wallet.address, 99),
    ]) {
      await expect(prove(bot)).rejects.toMatchObject({
        code: "not_proven",
        message: expect.stringContaining("one hub alone proves nothing"),
      });
    }
    expect(await proofs()).toEqual([]);
  });

  test("proves who signed where the name registry, or a second hub, says the same", async () => {
    expect(await prove(registryOf(wallet.address))).toBe(people.owner);
    const second = { host: "hub.two.example", own: false, hub: createFarClient(scene.node.url).hub };
    expect(await prove(believe(hosted, [second]))).toBe(people.owner);
  });
});
