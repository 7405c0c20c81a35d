import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import type { NetworkPane, PanePerson } from "../../src/sandbox/network-pane/pane.ts";
import {
  createAccount,
  createSampleAccounts,
  type SandboxAccount,
} from "../../src/sandbox/sample/accounts.ts";
import { personas } from "../../src/sandbox/sample/personas.ts";
import { makeSampleNetwork } from "../../src/sandbox/sample/sample-network.ts";
import type { TrafficContext } from "../../src/sandbox/traffic/scenes.ts";
import { createTestNetwork, type TestNetwork } from "./network.ts";
import { operatorToken, serveNetwork } from "./serve-network.ts";

export const botFid = 9001;

/** The sample network, served over HTTP, with its people's keys. */
export interface SampleNetwork {
  network: TestNetwork;
  traffic: TrafficContext;
  pane: NetworkPane;
  person(name: string): PanePerson;
  close(): Promise<void>;
}

export async function openSampleNetwork(): Promise<SampleNetwork> {
  const network = await createTestNetwork();
  const { clock, log } = network.context;
  const accounts = await createSampleAccounts();
  const { url, server } = await serveNetwork(network);
  const operator: Operator = createOperatorClient({ url, token: operatorToken, clock, log });
  const bot = await createAccount(botFid, "castellan");
  await operator.importNetwork({
    accounts: [{ fid: botFid, custodyAddress: bot.custodyAddress, username: "castellan" }],
    botAllowlist: [botFid],
  });
  await operator.importNetwork({ ...makeSampleNetwork(accounts, botFid, clock.now() / 1000) });
  const as = (account: SandboxAccount | undefined): Network => {
    const options = { clientUrl: url, registryUrl: url, hubUrl: url, clock, log };
    if (!account) return createClient(options);
    const { fid, appKey } = account;
    return createClient({ ...options, signer: { fid, privateKey: Buffer.from(appKey, "hex") } });
  };
  const people = personas.map(({ fid, name, userId }) => {
    return { fid, name, userId, account: accounts.find((account) => account.fid === fid) };
  });
  return {
    network,
    traffic: {
      as,
      operator,
      accounts,
      clock,
      log,
      memory: { casts: [], visitors: [] },
      random: () => 0.4,
      pause: async () => {},
    },
    pane: { clock, names: new Map(), people, operator, as: ({ account }) => as(account) },
    person(name) {
      const found = people.find((person) => person.name === name);
      if (!found) throw new Error(`nobody is called ${name}`);
      return found;
    },
    async close() {
      await server.close();
      await network.context.database.close();
    },
  };
}
