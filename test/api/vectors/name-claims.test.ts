import { type TypedDataDomain, verifyTypedData, Wallet } from "ethers";
import { recoverTypedDataAddress } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../../src/api/create-api.ts";
import { describeClaim, ownNameDomain } from "../../../src/contract/name-claim.ts";
import { createRegistrySigner } from "../../../src/api/signatures.ts";
import { parseConfig } from "../../../src/config.ts";
import { asAppError } from "../../../src/errors.ts";
import { readNetworkSettings } from "../../../src/start/network-settings.ts";
import { registryKey } from "../../support/world.ts";
import {
  badForms,
  goodForms,
  liveNameDomain,
  nameDomain,
  otherDomains,
  twinOf,
  walletOf,
  proofTypes,
} from "../../support/signing.ts";
import { useTestContext } from "../../support/test-cases.ts";

const consentTypes = {
  UserNameTransfer: [...proofTypes.UserNameProof, { name: "to", type: "uint256" }],
};

const context = await useTestContext();
const api = createApi(context);
beforeEach(async () => {
  await context.database.truncate();
  const accounts = [1, 2].map((fid) => ({ fid, custody_address: walletOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const now = () => Math.floor(context.clock.now() / 1000);
const claimOf = (fid: number) => ({ name: "alice", timestamp: now(), owner: walletOf(fid).address });

type Body = Parameters<ReturnType<Api["network"]>["transfers"]["create"]>[0];
const post = async (body: Body) => (await api.network().transfers.create(body)).transfer;
const outcome = (body: Body) =>
  post(body).then(
    () => "done",
    (error: unknown) => asAppError(error)?.code,
  );

/** fid 1 registers alice. */
async function registration(domain: TypedDataDomain = nameDomain) {
  const claim = claimOf(1);
  const signature = await walletOf(1).signTypedData(domain, proofTypes, claim);
  return { ...claim, from: 0, to: 1, fid: 1, signature };
}

/** fid 2 takes alice, with what fid 1 signed. */
async function taking(domain: TypedDataDomain = nameDomain) {
  await post(await registration());
  context.clock.advance(1);
  const claim = claimOf(2);
  const signature = await walletOf(2).signTypedData(nameDomain, proofTypes, claim);
  const consent = await walletOf(1).signTypedData(domain, consentTypes, { ...claim, to: 2 });
  return { ...claim, from: 1, to: 2, fid: 2, signature, from_signature: consent };
}

describe("a name claim that ethers signed", () => {
  it.each(goodForms)("registers the name, with %s", async (_, write) => {
    const body = await registration();
    const transfer = await post({ ...body, signature: write(body.signature) });
    expect(transfer).toMatchObject({
      username: "alice",
      to: 1,
      user_signature: write(body.signature).toLowerCase(),
    });
  });

  it.each(badForms)("is refused as %s", async (_, write) => {
    const body = await registration();
    expect(await outcome({ ...body, signature: write(body.signature) })).toBe("INVALID_SIGNATURE");
    expect(await outcome(body)).toBe("done");
  });

  it.each(otherDomains(nameDomain))("is refused for %s", async (_, domain) => {
    expect(await outcome(await registration(domain))).toBe("INVALID_SIGNATURE");
  });

  it("is refused as one of the live registry, which says so, unless that domain is configured", async () => {
    const body = await registration(liveNameDomain);
    await expect(post(body)).rejects.toMatchObject({
      code: "INVALID_SIGNATURE",
      message: expect.stringMatching(/live registry's domain.*NAME_DOMAIN=live/),
    });
    const settings = readNetworkSettings(parseConfig({ NAME_DOMAIN: "live" }));
    const registry = createRegistrySigner(registryKey, settings.nameDomain);
    const live = createApi({ ...context, settings, registry }).network();
    const { domain, signer } = await live.registryInfo.signer({});
    const { transfer } = await live.transfers.create(body);
    const claim = { name: body.name, timestamp: body.timestamp, owner: body.owner };
    expect(domain).toEqual(liveNameDomain);
    expect(verifyTypedData(liveNameDomain, proofTypes, claim, transfer.server_signature)).toBe(signer);
    await expect(live.transfers.create(await registration())).rejects.toThrow("GET /signer returns");
  });

  it("is refused where another signed it", async () => {
    const body = await registration();
    const signature = await walletOf(2).signTypedData(nameDomain, proofTypes, claimOf(1));
    expect(await outcome({ ...body, signature })).toBe("INVALID_SIGNATURE");
  });

  it("has a twin with a high s that recovers the same address: libraries leave it to us to refuse it", async () => {
    const { signature, name, timestamp, owner } = await registration();
    // What ethers made, which its types call text.
    const twin = twinOf(signature) as `0x${string}`;
    const message = { name, timestamp, owner: owner as `0x${string}` };
    expect(twin).not.toBe(signature);
    expect(await recoverTypedDataAddress({ ...describeClaim(ownNameDomain, message), signature: twin })).toBe(
      owner,
    );
  });
});

describe("the registry's signature", () => {
  it("is the one that ethers makes with the registry's key, and ethers verifies it", async () => {
    const {
      username: name,
      timestamp,
      owner,
      server_signature: signature,
    } = await post(await registration());
    const claim = { name, timestamp, owner };
    const { signer, domain } = await api.network().registryInfo.signer({});
    expect(domain).toEqual(nameDomain);
    expect(verifyTypedData(nameDomain, proofTypes, claim, signature)).toBe(signer);
    expect(await new Wallet(registryKey).signTypedData(nameDomain, proofTypes, claim)).toBe(signature);
  });
});

describe("the consent of who has the name, signed by ethers", () => {
  it.each(goodForms)("lets another take it, with %s", async (_, write) => {
    const body = await taking();
    expect(await post({ ...body, from_signature: write(body.from_signature) })).toMatchObject({ to: 2 });
  });

  it.each(badForms)("is none as %s", async (_, write) => {
    const body = await taking();
    expect(await outcome({ ...body, from_signature: write(body.from_signature) })).toBe("UNAUTHORIZED");
    expect(await outcome(body)).toBe("done");
  });

  it.each(otherDomains(nameDomain))("is none for %s", async (_, domain) => {
    expect(await outcome(await taking(domain))).toBe("UNAUTHORIZED");
  });

  it("is none for another receiver", async () => {
    const body = await taking();
    const { name, timestamp, owner } = body;
    const message = { name, timestamp, owner, to: 3 };
    const consent = await walletOf(1).signTypedData(nameDomain, consentTypes, message);
    expect(await outcome({ ...body, from_signature: consent })).toBe("UNAUTHORIZED");
  });
});
