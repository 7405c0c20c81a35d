import * as fc from "fast-check";
import { seconds } from "../../src/clock.ts";
import { createKeyPair, custodyOf, signKeyAnswer, signKeyRequest } from "../support/signing.ts";
import { outcomeOf, type Model, type Subject } from "./model.ts";

/** About one of two requests that stand at the start of a scene; both end their first hour unanswered. */
type Call =
  | { call: "ask"; request: 0 | 1 }
  | { call: "answer"; request: 0 | 1; user: 2 | 3; answer: "approve" | "refuse"; signedBy: 2 | 3 }
  | { call: "wait"; seconds: number };

interface Requests {
  time: number;
  /** What was answered, by whom, and when. */
  answers: ({ answer: "approve" | "refuse"; user: number; at: number } | undefined)[];
}

const lifetime = 3600;
const confirmation = 2;
const request = fc.constantFrom(0 as const, 1 as const);
const user = fc.constantFrom(2 as const, 3 as const);
const ask = fc.record({ call: fc.constant("ask" as const), request });
const answer = fc
  .record({
    call: fc.constant("answer" as const),
    request,
    user,
    answer: fc.constantFrom("approve" as const, "approve" as const, "refuse" as const),
    own: fc.constantFrom(true, true, true, false),
  })
  .map(({ own, ...rest }) => ({
    ...rest,
    signedBy: own ? rest.user : rest.user === 2 ? (3 as const) : (2 as const),
  }));
const wait = fc.record({ call: fc.constant("wait" as const), seconds: fc.constantFrom(1, 2, lifetime) });

function createModel(requests: Requests): Model<Call> {
  const { answers } = requests;
  function stateOf(request: number): string {
    const given = answers[request];
    if (given?.answer === "refuse") return "not_found";
    if (given)
      return requests.time - given.at >= confirmation ? `completed ${given.user}` : `approved ${given.user}`;
    return requests.time < lifetime ? "pending" : "not_found";
  }
  function apply(made: Call): string {
    if (made.call === "wait") {
      requests.time += made.seconds;
      return "ok";
    }
    const state = stateOf(made.request);
    if (made.call === "ask") return state === "pending" ? "the same" : "another";
    if (state === "not_found") return "not_found";
    if (made.signedBy !== made.user) return "not_permitted";
    const given = answers[made.request];
    if (given) return given.user === made.user && made.answer === "approve" ? "ok" : "not_permitted";
    answers[made.request] = { answer: made.answer, user: made.user, at: requests.time };
    return "ok";
  }
  return {
    apply,
    copy: () => createModel(structuredClone(requests)),
    memory: () => JSON.stringify(requests),
    view: () => [0, 1].map(stateOf),
  };
}

export const keyRequests: Subject<Call> = {
  title: "signed key requests",
  calls: fc.array(fc.oneof(ask, answer, answer, wait), { minLength: 3, maxLength: 10 }),
  callsAtOnce: fc.array(fc.oneof(ask, answer, answer), { minLength: 1, maxLength: 2 }),
  async prepare({ api, context, public: network }, number) {
    const [application, ...users] = [1, 2, 3].map((person) => 1_000_000_000 + 10 * number + person);
    const fids = [0, application ?? 0, ...users];
    const fid = (person: number) => fids[person] ?? 0;
    await api.operator.importNetwork({
      accounts: fids.slice(1).map((fid) => ({ fid, custodyAddress: custodyOf(fid).address })),
    });
    const start = seconds(context.clock);
    const keys = [(await createKeyPair()).key, (await createKeyPair()).key];
    const draft = (index: number, deadline: number) => ({
      key: keys[index] ?? "0x",
      requestFid: fid(1),
      deadline,
    });
    const create = async (index: number, deadline: number) => {
      const body = await signKeyRequest(draft(index, deadline));
      return (await network.signedKeyRequests.create(body)).signedKeyRequest.token;
    };
    const tokens = [await create(0, start + lifetime), await create(1, start + lifetime)];
    return {
      model: createModel({ time: 0, answers: [undefined, undefined] }),
      async perform(made) {
        if (made.call === "wait") {
          context.clock.advance(made.seconds);
          return "ok";
        }
        if (made.call === "ask") {
          const token = await create(made.request, seconds(context.clock) + lifetime);
          return token === tokens[made.request] ? "the same" : "another";
        }
        const asked = { ...draft(made.request, start + lifetime), token: tokens[made.request] ?? "" };
        const body = await signKeyAnswer(asked, fid(made.user), made.answer, fid(made.signedBy));
        return outcomeOf(network.signedKeyAnswers.answer(body));
      },
      view: () =>
        Promise.all(
          tokens.map(async (token) => {
            let shown = "";
            const read = async () => {
              const { state, userFid } = (await network.signedKeyRequests.get({ token })).signedKeyRequest;
              shown = userFid === undefined ? state : `${state} ${fids.indexOf(userFid)}`;
            };
            const outcome = await outcomeOf(read());
            return outcome === "ok" ? shown : outcome;
          }),
        ),
    };
  },
};
