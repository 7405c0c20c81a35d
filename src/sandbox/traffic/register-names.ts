import { privateKeyToAccount } from "viem/accounts";
import { seconds } from "../../clock.ts";
import { describeClaim, liveNameDomain, type NameClaim } from "../../contract/name-claim.ts";
import { createAccount, type SandboxAccount } from "../people/account.ts";
import { pickOne, type Town } from "./town.ts";

const firstHalves = [
  "amber",
  "silent",
  "paper",
  "velvet",
  "north",
  "quick",
  "hollow",
  "lunar",
  "salt",
  "copper",
];
const secondHalves = ["owl", "lantern", "fern", "tide", "kettle", "moth", "fox", "stair", "reed", "drum"];

/** A newcomer registers a name; every fourth time an earlier one gives the name up. */
export async function registerOrRelease(town: Town): Promise<void> {
  const { visitors } = town.memory;
  const leaver = visitors.length > 3 && town.random() < 0.25 ? visitors.shift() : undefined;
  if (leaver && seconds(town.clock) > leaver.since) {
    await transferName(town, leaver.account, leaver.name, { from: leaver.account.fid, to: 0 });
    return;
  }
  const fid = 100_000 + Math.floor(town.random() * 2_000_000_000);
  const account = await createAccount(fid, "");
  const name = `${pickOne(town, firstHalves)}-${pickOne(town, secondHalves)}-${fid % 1000}`.slice(0, 16);
  await town.operator.importNetwork({
    accounts: [{ fid, custodyAddress: account.custodyAddress, appKeys: [account.appPublicKey] }],
  });
  await transferName(town, account, name, { from: 0, to: fid });
  visitors.push({ account, name, since: seconds(town.clock) });
}

async function transferName(
  town: Town,
  account: SandboxAccount,
  name: string,
  way: { from: number; to: number },
): Promise<void> {
  const claim: NameClaim = {
    name,
    owner: account.custodyAddress.toLowerCase() as `0x${string}`, // lower-casing hex keeps it hex
    timestamp: seconds(town.clock),
  };
  const wallet = privateKeyToAccount(account.custodyKey);
  const network = town.as(account);
  const { domain = liveNameDomain } = await network.registryInfo.signer({});
  const signature = await wallet.signTypedData(describeClaim(domain, claim));
  await network.transfers.create({ ...claim, ...way, fid: account.fid, signature });
}
