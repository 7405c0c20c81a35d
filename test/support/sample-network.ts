import { sql } from "kysely";
import { createMessageSigner, type MessageSigner } from "../../src/api/signatures.ts";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import type { Queryable } from "../../src/database/database.ts";
import type { NetworkPane, PanePerson } from "../../src/sandbox/network-pane/pane.ts";
import {
  createAccount,
  createSampleAccounts,
  type SandboxAccount,
} from "../../src/sandbox/sample/accounts.ts";
import { personas } from "../../src/sandbox/sample/personas.ts";
import { makeSampleNetwork } from "../../src/sandbox/sample/sample-network.ts";
import type { TrafficContext } from "../../src/sandbox/traffic/scenes.ts";
import { operatorToken, serveNetwork } from "./served-network.ts";
import { createTestContext, createTestNetwork, type TestNetwork } from "./world.ts";

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
  const messageSigners = new Map<number, MessageSigner>();
  const holdKey = ({ fid, appKey }: SandboxAccount) =>
    void messageSigners.set(fid, createMessageSigner(appKey));
  const network = await createTestNetwork({ ...(await createTestContext()), messageSigners });
  const { clock, log } = network.context;
  const accounts = await createSampleAccounts();
  accounts.forEach(holdKey);
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
      holdKey,
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

/** What must hold of a network at any time; each statement gives what breaks it. */
const invariants: Record<string, string> = {
  "member_count counts owner, moderators and members": `
    select id from network.channels where member_count <>
      (select count(*) from network.memberships where channel_id = channels.id)`,
  "follower_count counts follows": `
    select id from network.channels where follower_count <>
      (select count(*) from network.channel_follows where channel_id = channels.id)`,
  "a channel has one owner at most": `
    select channel_id from network.memberships where role = 'owner' group by channel_id having count(*) > 1`,
  "ten moderators, invites included": `
    select channel_id from (
      select channel_id from network.memberships where role = 'moderator'
      union all select channel_id from network.invites where role = 'moderator'
    ) as held group by channel_id having count(*) > 10`,
  "the banned have neither role nor invite nor restriction": `
    select channel_id, fid from network.bans join (
      select channel_id, fid from network.memberships
      union all select channel_id, fid from network.invites
      union all select channel_id, fid from network.restrictions
    ) as standing using (channel_id, fid)`,
  "the restricted have no role": `
    select channel_id, fid from network.restrictions join network.memberships using (channel_id, fid)`,
  "who is invited as member is none, who is invited as moderator is a member": `
    select channel_id, fid from network.invites left join network.memberships using (channel_id, fid)
    where (invites.role = 'member') = (memberships.role is not null)`,
  "replies of the banned are hidden by the ban, and of nobody else": `
    select hash from network.casts left join network.bans using (channel_id, fid)
    where parent_hash is not null and hidden_by_ban <> (bans.fid is not null)`,
  "a pinned cast is in its channel, and there": `
    select channels.id from network.channels left join network.casts
      on casts.hash = pinned_cast_hash and casts.channel_id = channels.id and removed_at is null
    where pinned_cast_hash is not null and casts.hash is null`,
  "a moderated cast is hidden as its last record says": `
    select hash from network.casts join lateral (
      select action from network.moderation_records
      where cast_hash = casts.hash order by moderated_at desc, id desc limit 1
    ) as last on true
    where hidden_by_moderation <> (last.action = 'hide')`,
  "a name belongs to whom its last transfer gave it": `
    select username from (
      select distinct on (username) username, to_fid from network.transfers order by username, id desc
    ) as last full join network.names on name = username
    where coalesce(to_fid, 0) <> coalesce(names.fid, 0)`,
  "a fid has one name at most": `
    select fid from network.names group by fid having count(*) > 1`,
  "every transfer has its event": `
    select 1 from (
      select (select count(*) from network.transfers) as transfers,
        (select count(*) from network.hub_events where type = 'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF') as events
    ) as counted where transfers <> events`,
  "a cast or its removal is signed by somebody, or not at all": `
    select hash from (
      select hash, signer, signature from network.casts
      union all select hash, signer, signature from network.cast_removals
    ) as messages where (signer is null) <> (signature is null)`,
  "no stream has an id beyond its head": `
    select stream from network.stream_heads where last_id <
      case stream when 'transfers' then (select coalesce(max(id), 0) from network.transfers)
        when 'blocks' then (select coalesce(max(id), 0) from network.blocks)
        else (
          select coalesce(max(id), 0) from network.hub_events
          where shard = case stream when 'hub_events' then 1 else 2 end
        ) end`,
  "nobody blocks themselves": `select 1 from network.blocks where blocker_fid = blocked_fid`,
};

/** The names of those that do not hold, with what breaks them. */
export async function findBrokenInvariants(db: Queryable): Promise<{ broken: string; by: unknown[] }[]> {
  const found = [];
  for (const [broken, statement] of Object.entries(invariants)) {
    const { rows } = await sql.raw(`${statement} limit 5`).execute(db);
    if (rows.length > 0) found.push({ broken, by: rows });
  }
  return found;
}
