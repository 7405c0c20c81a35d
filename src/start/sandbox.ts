import { createMessageSigner } from "../api/signatures.ts";
import { createClient, createOperatorClient } from "../client/create-client.ts";
import type { Config } from "../config.ts";
import { pages } from "../contract/pages.ts";
import type { Network } from "../contract/index.ts";
import type { Discord } from "../sandbox/discord/start-discord.ts";
import type { PanePerson } from "../sandbox/network-pane/pane.ts";
import { loadAccounts, type SandboxAccount } from "../sandbox/sample/accounts.ts";
import { personas } from "../sandbox/sample/personas.ts";
import { managerRole } from "../sandbox/sample/sample-server.ts";
import { startSandbox } from "../sandbox/start-sandbox.ts";
import { startTraffic, type Traffic } from "../sandbox/traffic/schedule.ts";
import { sandboxSecrets } from "./keys.ts";
import { addSampleNetwork } from "./sample-world.ts";
import type { StartContext } from "./start-context.ts";

export interface RunningSandbox {
  discord: Discord;
  /** The page's address for people. */
  address: string;
  /** The bot's token in the sandbox. */
  token: string;
  /** The console's client secret in the sandbox. */
  clientSecret: string;
  traffic: Traffic | undefined;
  close(): Promise<void>;
}

/** The local Discord with both panes on the embedded network at `origin`, and the sample network's traffic. */
export async function openSandbox(start: StartContext, origin: string): Promise<RunningSandbox> {
  const { config, clock, log, keys, messageSigners } = start;
  const options = { clock, log };
  const urls = { clientUrl: origin, registryUrl: origin, hubUrl: origin };
  const operator = createOperatorClient({
    ...options,
    url: origin,
    token: config.OPERATOR_TOKEN ?? keys.operatorToken,
  });
  const anybody = createClient({ ...options, ...urls });
  const clients = new Map<number, Network>();
  const as = (account: SandboxAccount | undefined): Network => {
    if (!account) return anybody;
    const { fid, appKey } = account;
    const client =
      clients.get(fid) ??
      createClient({ ...options, ...urls, signer: { fid, privateKey: Buffer.from(appKey, "hex") } });
    clients.set(fid, client);
    return client;
  };
  const sample = hasSampleNetwork(config);
  const accounts = sample ? await loadAccounts(config.DATA_DIR) : [];
  const holdKey = ({ fid, appKey }: SandboxAccount) =>
    void messageSigners.set(fid, createMessageSigner(appKey));
  accounts.forEach(holdKey);
  // Meanwhile the local Discord opens. Nobody uses it before.
  const filling = sample
    ? addSampleNetwork(anybody, operator, accounts, { botFid: config.BOT_FID, clock })
    : undefined;
  filling?.catch(() => {});
  const people = sample ? playedBy(accounts) : await verifiedPeople(anybody);
  const secrets = sandboxSecrets(keys);
  const { discord, address } = await startSandbox({
    ...options,
    ...secrets,
    directory: config.DATA_DIR,
    host: config.SANDBOX_HOST,
    port: config.SANDBOX_PORT,
    people: people.map(({ name, userId, part, roles }) => ({
      id: userId,
      username: name,
      displayName: part ? `${name} (${part})` : name,
      roles,
    })),
    tour: sample,
    pane: { clock, names: new Map(), people, operator, as: ({ account }) => as(account) },
  });
  await filling?.catch(async (error: unknown) => {
    await discord.stop();
    throw error;
  });
  const lives = sample && config.SANDBOX_TRAFFIC === "on";
  const traffic = lives
    ? startTraffic({ ...options, accounts, operator, as, holdKey, random: Math.random })
    : undefined;
  return {
    discord,
    address,
    token: secrets.token,
    clientSecret: secrets.clientSecret,
    traffic,
    async close() {
      await traffic?.stop();
      await discord.stop();
    },
  };
}

/** Whether the network is the bundled sample, and not an imported one. */
export function hasSampleNetwork({ NETWORK, NETWORK_FILE }: Config): boolean {
  return NETWORK === "sample" && NETWORK_FILE === undefined;
}

interface Player extends PanePerson {
  part: string;
  roles: string[];
}

function playedBy(accounts: readonly SandboxAccount[]): Player[] {
  return personas.map(({ fid, name, userId, part }) => {
    const account = accounts.find((one) => one.fid === fid);
    return { fid, name, userId, part, account, roles: [] };
  });
}

/**
 * With a network file: all people with a verified Discord account, each with the right to link their channels, and a
 * stranger. None of their keys are known.
 */
async function verifiedPeople(network: Network): Promise<Player[]> {
  const people: Player[] = [];
  for await (const { verifications } of pages(network.accountVerifications.list, { platform: "discord" })) {
    for (const { fid, platformId, platformUsername } of verifications) {
      const person = { fid, name: platformUsername, userId: platformId, part: "", account: undefined };
      people.push({ ...person, roles: [managerRole.name] });
    }
  }
  const stranger = personas.find(({ part }) => part === "stranger");
  if (stranger) people.push({ ...stranger, account: undefined, roles: [] });
  return people;
}
