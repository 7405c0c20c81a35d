import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { linkChannel } from "../../../src/moderation/link-channel.ts";
import { giveCode } from "../../../src/moderation/proofs/link-codes.ts";
import { describeSignedText, proveBySignature } from "../../../src/moderation/proofs/prove-by-signature.ts";
import { listProofs, readCustody } from "../../../src/moderation/proofs/staff-proofs.ts";
import { custodyOf } from "../../support/signing.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people, troubleNetwork } from "../../support/world.ts";

const bot = await useWorld();
const actor = { userId: "100", guildId: "900", roomId: "77", roleIds: [], managesServer: true };

beforeEach(async () => {
  await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator] });
  for (const fid of Object.values(people)) {
    await bot.database.query
      .updateTable("network.accounts")
      .set({ custody_address: custodyOf(fid).address })
      .where("fid", "=", fid)
      .execute();
  }
});

async function signAs(fid: number, of = actor): Promise<string> {
  const message = describeSignedText(bot, await giveCode(bot, of, "art"));
  return custodyOf(fid).signMessage({ message });
}
const prove = (signature: string, by = actor) => proveBySignature(bot, by, "art", signature);
const proofs = () => listProofs(bot.database.query, "900", "art");

describe("a text that the custody wallet of the channel's owner signed", () => {
  test("says what it is for, and to whom", async () => {
    const code = await giveCode(bot, actor, "art");
    expect(describeSignedText(bot, code)).toBe(
      [
        "Castellan may link the Farcaster channel /art to the Discord server 900.",
        "I own or moderate this channel, and the Discord user below acts for me.",
        "",
        "Discord user: 100",
        "Network: castle.test, Castellan's fid 9001",
        `Code: ${code.code}`,
        `Valid until: ${new Date(bot.clock.now() + 15 * 60_000).toISOString()}`,
      ].join("\n"),
    );
  });

  test.each(["owner", "moderator"] as const)("proves who they are: the %s", async (who) => {
    expect(await prove(await signAs(people[who]))).toBe(people[who]);
    const address = custodyOf(people[who]).address.toLowerCase();
    expect(await proofs()).toMatchObject([
      { userId: "100", fid: people[who], method: "signature", custodyAddress: address },
    ]);
    expect(await linkChannel(bot, actor, "art")).toMatchObject({ renewed: false });
  });

  test("is found in what wallets and their pages show, with and without 0x", async () => {
    const signature = await signAs(people.owner);
    await prove(
      JSON.stringify({ address: custodyOf(people.owner).address, sig: signature.slice(2) }, null, 2),
    );
    expect(await proofs()).toHaveLength(1);
  });

  test("works once", async () => {
    const signature = await signAs(people.owner);
    await prove(signature);
    await expect(prove(signature)).rejects.toMatchObject({ code: "not_proven" });
  });

  test("works once where it is sent twice at the same moment", async () => {
    const signature = await signAs(people.owner);
    const outcomes = await Promise.allSettled([prove(signature), prove(signature)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await proofs()).toHaveLength(1);
  });
});

describe("is refused, with what to do,", () => {
  /** What the refusal says; nothing was proven. */
  const refusalOf = async (signature: string, by = actor): Promise<string> => {
    const refusal = await prove(signature, by).then(String, (error: unknown) => String(error));
    expect(await proofs()).toEqual([]);
    return refusal;
  };

  test("a signature by somebody else, who hears which wallets would do", async () => {
    const signature = await signAs(people.troll);
    expect(await refusalOf(signature)).toContain(custodyOf(people.owner).address.toLowerCase());
    expect(await refusalOf(signature)).toContain(custodyOf(people.troll).address.toLowerCase());
  });

  test("one of another user's text, or of another server's", async () => {
    const signature = await signAs(people.owner);
    const others = [
      { ...actor, userId: "101" },
      { ...actor, guildId: "901" },
    ];
    for (const other of others) {
      expect(await refusalOf(signature, other)).toContain("/setup link gives you a new one");
      await giveCode(bot, other, "art");
      expect(await refusalOf(signature, other)).toContain("or another text was signed");
    }
  });

  test("one that comes too late", async () => {
    const signature = await signAs(people.owner);
    bot.clock.advance(15 * 60);
    expect(await refusalOf(signature)).toContain("it has expired");
  });

  test("one by whoever lacks Manage Server by now", async () => {
    const signature = await signAs(people.owner);
    expect(await refusalOf(signature, { ...actor, managesServer: false })).toContain("Manage Server");
  });

  test.each(["", "0x1234", `0x${"0".repeat(130)}`, "I am ada"])("what is none: %j", async (pasted) => {
    await giveCode(bot, actor, "art");
    await expect(prove(pasted)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/not a (valid )?signature/),
    });
  });

  test("any while the hub tells no custody address, and the code stays good", async () => {
    const signature = await signAs(people.owner);
    const gone = new AppError("network_unreachable", "The hub did not answer.");
    const network = troubleNetwork(bot.network, "hub", "onChainEventsByFid", () => gone, "before");
    await expect(proveBySignature({ ...bot, network }, actor, "art", signature)).rejects.toBe(gone);
    expect(await prove(signature)).toBe(people.owner);
  });
});

describe("the custody address of a fid", () => {
  const moved = (to: string, blockNumber: number, logIndex: number, eventType: string) => ({
    type: "EVENT_TYPE_ID_REGISTER",
    fid: 1,
    blockNumber,
    logIndex,
    idRegisterEventBody: { to, eventType, from: "0x", recoveryAddress: "0x" },
  });
  const address = (digit: string) => `0x${digit.repeat(40)}`;
  const read = (events: ReturnType<typeof moved>[]) => {
    const hub = { ...bot.network.hub, onChainEventsByFid: async () => ({ events }) };
    return readCustody(hub, 1);
  };

  test("is where the latest transfer put it, in whatever order the hub gives them", async () => {
    const events = [
      moved(address("b"), 12, 0, "Transfer"),
      moved(address("C"), 12, 3, "ID_REGISTER_EVENT_TYPE_TRANSFER"),
      moved(address("a"), 5, 9, "Register"),
    ];
    expect(await read(events)).toBe(address("c"));
    expect(await read(events.toReversed())).toBe(address("c"));
  });

  test("is not a new recovery address, nor another fid's, nor what is no address", async () => {
    const registered = moved(address("a"), 5, 0, "Register");
    expect(await read([registered, moved(address("b"), 9, 0, "ChangeRecovery")])).toBe(address("a"));
    expect(await read([registered, { ...moved(address("b"), 9, 0, "Transfer"), fid: 2 }])).toBe(address("a"));
    expect(await read([moved("0x", 9, 0, "Transfer")])).toBeUndefined();
    expect(await read([])).toBeUndefined();
  });

  test("of the embedded network is its account's", async () => {
    expect(await readCustody(bot.network.hub, people.owner)).toBe(
      custodyOf(people.owner).address.toLowerCase(),
    );
    expect(await readCustody(bot.network.hub, 555)).toBeUndefined();
  });
});
