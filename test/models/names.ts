import * as fc from "fast-check";
import { seconds } from "../../src/clock.ts";
import { custodyOf, signConsent, signTransfer } from "../support/signing.ts";
import { outcomeOf, type Model, type Subject } from "./model.ts";

/** Of a name to or from a person, 1 to 3, or nobody, 0. */
interface Call {
  name: 0 | 1;
  from: number;
  to: number;
  /** Who asks; `from` or `to`, mostly. */
  by: number;
  /** Seconds from the start of the scene. */
  at: number;
  /** Whether the one who has the name signs too. */
  consented: boolean;
}

interface Registry {
  /** By name: who has it, and since when. */
  holders: Map<number, { fid: number; at: number }>;
  /** Claims that were used, with what they brought about. */
  claims: Map<string, string>;
  /** Every transfer. */
  history: string[];
}

const person = fc.constantFrom(0, 1, 2, 3);
const call: fc.Arbitrary<Call> = fc
  .record({
    name: fc.constantFrom(0 as const, 0 as const, 1 as const),
    from: fc.constantFrom(0, 0, 1, 2, 3),
    to: person,
    by: fc.constantFrom("from", "from", "from", "to", "else"),
    at: fc.constantFrom(0, 1, 2, 3, 4, 5, 900),
    consented: fc.boolean(),
  })
  .map(({ by, ...rest }) => {
    const party = by === "to" || rest.from === 0 ? rest.to : rest.from;
    return { ...rest, by: by === "else" || party === 0 ? 3 : party };
  });
const calls = fc.array(call, { minLength: 4, maxLength: 14 });

function createModel({ holders, claims, history }: Registry): Model<Call> {
  function decide({ name, from, to, by, at, consented }: Call): string {
    if (by !== from && by !== to) return "UNAUTHORIZED";
    if (from !== 0 && by !== from && !consented) return "UNAUTHORIZED";
    const outcome = `${from} ${to}`;
    const claimed = claims.get(`${name} ${by} ${at}`);
    if (claimed !== undefined) return claimed === outcome ? "ok" : "INVALID_TIMESTAMP";
    const latest = holders.get(name);
    if (latest && from === 0 && to !== 0 && latest.fid === to && at > latest.at) return "ok";
    if (to !== 0 && [...holders].some(([other, holder]) => other !== name && holder.fid === to)) {
      return "TOO_MANY_NAMES";
    }
    if (at > 600) return "INVALID_TIMESTAMP";
    const holder = latest?.fid ?? 0;
    if (from !== 0 && holder === 0) return "USERNAME_NOT_FOUND";
    if (holder !== from || from === to) return "USERNAME_TAKEN";
    if (latest && at <= latest.at) return "INVALID_TIMESTAMP";
    holders.set(name, { fid: to, at });
    claims.set(`${name} ${by} ${at}`, outcome);
    history.push(`${name}: ${outcome}`);
    return "ok";
  }
  return {
    apply: decide,
    view: () => ({ history, holders: [0, 1].map((name) => holders.get(name)?.fid ?? 0) }),
    copy: () => createModel(structuredClone({ holders, claims, history })),
    memory: () => JSON.stringify([[...holders], [...claims], history]),
  };
}

export const names: Subject<Call> = {
  title: "transfers of names",
  calls,
  async prepare({ api, context, public: network }, number) {
    const fids = [0, 1, 2, 3].map((person) => (person === 0 ? 0 : 1000 * number + person));
    const fid = (person: number) => fids[person] ?? 0;
    const name = (index: number) => `name${number}-${index}`;
    const accounts = fids.slice(1).map((fid) => ({ fid, custodyAddress: custodyOf(fid).address }));
    await api.operator.importNetwork({ accounts });
    const start = seconds(context.clock);
    return {
      model: createModel({ holders: new Map(), claims: new Map(), history: [] }),
      async perform({ name: index, from, to, by, at, consented }) {
        const draft = {
          name: name(index),
          from: fid(from),
          to: fid(to),
          fid: fid(by),
          timestamp: start + at,
        };
        const claim = await signTransfer(draft);
        const consent = consented && from !== 0 && { from_signature: await signConsent(claim) };
        return outcomeOf(network.transfers.create({ ...claim, ...consent }));
      },
      async view() {
        const lists = await Promise.all([0, 1].map((index) => network.transfers.list({ name: name(index) })));
        const all = lists.flatMap(({ transfers }) => transfers).toSorted((a, b) => a.id - b.id);
        const history = all.map(
          ({ username, from, to }) => `${username.split("-")[1]}: ${fids.indexOf(from)} ${fids.indexOf(to)}`,
        );
        const holders = lists.map(({ transfers }) => fids.indexOf(transfers.at(-1)?.to ?? 0));
        return { history, holders };
      },
    };
  },
};
