import { recoverAddress, TypedDataEncoder } from "ethers";
import { recoverTypedDataAddress } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { describeClaim, ownNameDomain } from "../../src/contract/name-claim.ts";
import { createServerDatabase } from "../support/database.ts";
import { hasServer } from "../support/services.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import {
  type DataDirectory,
  makeDataDirectory,
  makeFilledDirectory,
  type Program,
  readOperatorToken,
  runProgram,
} from "../support/program.ts";

/** Each has a name of its own to register, release and register again, as often as said. */
const writers = 8;
const perWriter = 12;
/** With the name that the network gave to the bot. */
const count = writers * perWriter + 1;

let home: DataDirectory;
let database: { url: string; drop: () => Promise<void> } | undefined;
let programs: Program[] = [];
let urls: string[] = [];

// On a server there are two processes beside each other; the embedded engine belongs to one.
beforeAll(async () => {
  database = hasServer ? await createServerDatabase() : undefined;
  home = database ? await makeDataDirectory() : await makeFilledDirectory();
  const settings = {
    NETWORK: "empty",
    DATA_DIR: home.directory,
    ...(database && { DATABASE_URL: database.url }),
  };
  for (let process = 0; process < (database ? 2 : 1); process += 1) {
    const program = runProgram(["api"], settings);
    programs.push(program);
    urls.push((await program.ready).network);
  }
  const accounts = Array.from({ length: writers }, (_, index) => ({
    fid: fidOf(index),
    custodyAddress: custodyOf(fidOf(index)).address,
  }));
  const answer = await fetch(`${urls[0]}/operator/network`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await readOperatorToken(home.directory)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ accounts }),
  });
  if (!answer.ok) throw new Error(await answer.text());
});

afterAll(async () => {
  for (const program of programs) await program.end();
  await database?.drop();
  await home.remove();
});

const fidOf = (index: number) => 101 + index;
const nameOf = (index: number) => `writer-${index}`;

async function write(index: number): Promise<void> {
  const fid = fidOf(index);
  const start = Math.floor(Date.now() / 1000);
  for (let step = 0; step < perWriter; step += 1) {
    const [from, to] = step % 2 === 0 ? [0, fid] : [fid, 0];
    const claim = await signTransfer({ name: nameOf(index), from, to, timestamp: start + step });
    const answer = await fetch(`${urls[(index + step) % urls.length]}/transfers`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(claim),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(nameOf(index))]);
  }
}

const Transfers = z.object({
  transfers: z.array(
    z.object({
      id: z.int(),
      timestamp: z.int(),
      username: z.string(),
      owner: z.string().transform((owner) => owner as `0x${string}`),
      to: z.int(),
      server_signature: z.string().transform((signature) => signature as `0x${string}`),
    }),
  ),
});
type Followed = z.infer<typeof Transfers>["transfers"];

/** Reads on from the last id that it saw, as fast as it can, until it has seen so many. */
async function followTransfers(url: string): Promise<Followed> {
  const seen: Followed = [];
  while (seen.length < count) {
    const answer = await fetch(`${url}/transfers?from_id=${seen.at(-1)?.id ?? 0}`);
    seen.push(...Transfers.parse(await answer.json()).transfers);
  }
  return seen;
}

const Events = z.object({
  nextPageEventId: z.int().optional(),
  events: z.array(
    z.object({
      id: z.int(),
      mergeUsernameProofBody: z.object({
        usernameProof: z.object({ name: z.string(), timestamp: z.int(), fid: z.int() }),
      }),
    }),
  ),
});
type Told = z.infer<typeof Events>["events"];

async function followEvents(url: string): Promise<Told> {
  const seen: Told = [];
  while (seen.length < count) {
    const answer = await fetch(`${url}/v1/events?from_event_id=${(seen.at(-1)?.id ?? -1) + 1}`);
    seen.push(...Events.parse(await answer.json()).events);
  }
  return seen;
}

it(
  "whoever follows while eight write sees each transfer once, in order, and each is signed",
  { timeout: 120_000 },
  async () => {
    const following = Promise.all(urls.flatMap((url) => [followTransfers(url), followTransfers(url)]));
    const hearing = Promise.all(urls.flatMap((url) => [followEvents(url), followEvents(url)]));
    await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
    const [first = [], ...others] = await following;
    expect(first.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    for (const other of others) expect(other).toEqual(first);
    const proofs = first.map(({ username: name, timestamp, to: fid }) => ({ name, timestamp, fid }));
    for (const told of await hearing) {
      expect(told.map(({ mergeUsernameProofBody }) => mergeUsernameProofBody.usernameProof)).toEqual(proofs);
    }
    const { signer } = z
      .object({ signer: z.string() })
      .parse(await (await fetch(`${urls[0]}/signer`)).json());
    for (const { username: name, owner, timestamp, server_signature: signature } of first) {
      const claim = describeClaim(ownNameDomain, { name, owner, timestamp });
      const types = { UserNameProof: [...claim.types.UserNameProof] };
      const digest = TypedDataEncoder.hash(claim.domain, types, claim.message);
      const byViem = await recoverTypedDataAddress({ ...claim, signature });
      expect([recoverAddress(digest, signature), byViem]).toEqual([signer, signer]);
    }
  },
);
