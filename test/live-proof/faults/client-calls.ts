import type { Point } from "../fault.ts";

const breakers = "test/client/breakers.test.ts";
const budget = "test/observe/call-budget.test.ts";
const codeCasts = "test/moderation/proofs/code-casts.test.ts";
const doctorKey = "test/start/doctor-key.test.ts";
const signature = "test/moderation/proofs/prove-by-signature.test.ts";

/** C7 to C9: how often the client API is called, and for whom. */
export const clientCalls: readonly Point[] = [
  {
    id: "C7",
    holds:
      "All processes together keep to a budget for each route, and people go first. A failing service is not called for a while.",
    faults: [
      {
        broken: "calls are counted, but never delayed",
        file: "src/observe/live/call-budget.ts",
        from: "burst < ${asBound(room.all.burst)} and hour",
        to: "true or hour",
        tests: {
          [budget]: ["background reading > waits for room in ten seconds, and leaves some for people"],
        },
      },
      {
        broken: "the hourly limit is ignored",
        file: "src/observe/live/call-budget.ts",
        from: "and hour < ${asBound(room.all.hour)}",
        to: "",
        tests: {
          [budget]: [
            "background reading > is refused within an hour once its part is used, with the time until there is room",
          ],
        },
      },
      {
        broken: "people wait behind background reads",
        file: "src/observe/live/call-limits.ts",
        from: "if (purpose === undefined) return { own: unlimited, all: unlimited };",
        to: "",
        tests: {
          [budget]: [
            "what people wait for > goes out whatever was read in the background, and is counted",
            "on the wire > a ban goes out while reading has used up its part",
          ],
        },
      },
      {
        broken: "Retry-After is ignored",
        file: "src/client/create-caller.ts",
        from: "own?.noteRefusal(route, retryAfter, countedFor, channelLimit)",
        to: "own?.noteRefusal(route, 0, countedFor, channelLimit)",
        tests: {
          [budget]: ["on the wire > a 429 ends the calls to its route until Retry-After, and to no other"],
        },
      },
      {
        broken: "each task has its own budget",
        file: "src/observe/live/call-budget.ts",
        from: "        where route = ${route} and second >=",
        to: '        where route = ${route} and purpose = ${purpose ?? ""} and second >=',
        tests: {
          [budget]: [
            "background reading > shares the limits with other processes, and with the one before a restart",
          ],
        },
      },
      {
        broken: "a service that fails repeatedly is still called",
        file: "src/client/breakers.ts",
        from: "if (isProbe || breaker.failures >= maxFailures)",
        to: "if (isProbe)",
        tests: { [breakers]: ["a service that fails again and again > is left alone: it answers 500"] },
      },
      {
        broken: "when a service's pause is over, all processes call it at once",
        file: "src/client/breakers.ts",
        from: "if (known.isProbing || !isDue)",
        to: "if (!isDue)",
        tests: {
          [breakers]: [
            "a service that fails again and again > is asked by one call alone after a while, and by all once that one is answered",
          ],
        },
      },
      {
        broken: "a service that refuses counts as failing",
        file: "src/client/breakers.ts",
        from: 'return code === "network_unreachable" || status >= 500;',
        to: 'return code === "network_unreachable" || status >= 400;',
        tests: { [breakers]: ["a service that fails again and again > is not one that refuses"] },
      },
    ],
  },
  {
    id: "C8",
    holds:
      "The hubs decide about a key. The client API's answer comes from a documented call that changes nothing, and only a 401 counts.",
    faults: [
      {
        broken: "a key that the network refuses is not recognized as wrong",
        file: "src/start/doctor/check-key-calls.ts",
        from: "if (asAppError(tried)?.status === 401) return",
        to: "if (asAppError(tried)?.status === 499) return",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > says what is wrong with a key that the client API refuses, and nothing else is",
          ],
        },
      },
      {
        broken: "another kind of refusal counts as a refused key",
        file: "src/start/doctor/check-key-calls.ts",
        from: "if (asAppError(tried)?.status === 401) return",
        to: "if (asAppError(tried)?.status) return",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > says nothing against a key when the client API forbids the trial",
          ],
        },
      },
      {
        broken: "a hub that is behind decides alone that a key is gone",
        file: "src/start/doctor/check-key.ts",
        from: 'if (standing?.state === "active") return standing;',
        to: "if (standing) return standing;",
        tests: {
          [doctorKey]: [
            "castellan doctor, of the bot's key > takes a key for active that any hub calls active, also where others refuse, hang up or are behind",
          ],
        },
      },
    ],
  },
  {
    id: "C9",
    holds:
      "A code that the owner casts, or a text that their wallet signs, proves rights without a verified account: once, only for the person who received it, and in time.",
    faults: [
      {
        broken: "the author of a code's cast is not checked",
        file: "src/moderation/proofs/judge-code-casts.ts",
        from: ' || !staffOf(channel).includes(fid)) return "stranger"',
        to: ') return "stranger"',
        tests: {
          [codeCasts]: ["a code proves nothing > cast by somebody else, and the room is told what to do"],
        },
      },
      {
        broken: "a code within a longer text proves as much as the code alone",
        file: "src/observe/hub/code-casts.ts",
        from: 'const is_exact = isBare && cast.text.replace(/\\s+/g, " ").trim() === text;',
        to: "const is_exact = isBare;",
        tests: {
          [codeCasts]: ["a code proves nothing > among other words, and the room is told what to do"],
        },
      },
      {
        broken: "a code never expires",
        file: "src/moderation/proofs/judge-code-casts.ts",
        from: '  if (merged_at * 1000 > expires_at_ms) return "late";\n',
        to: "",
        tests: { [codeCasts]: ["a code proves nothing > cast too late, and the room is told what to do"] },
      },
      {
        broken: "any wallet's signature counts as the owner's",
        file: "src/moderation/proofs/prove-by-signature.ts",
        from: "if (custody === signer) {",
        to: "if (custody !== undefined) {",
        tests: {
          [signature]: [
            "is refused, with what to do, > a signature by somebody else, who hears which wallets would do",
          ],
        },
      },
      {
        broken: "the signature is not bound to the Discord user",
        file: "src/moderation/proofs/prove-by-signature.ts",
        from: "`Discord user: ${userId}`,\n    `Network: ${new URL(settings.linkBase).host}, Castellan's fid ${botFid}`,\n    `Code: ${code}`,\n    `Valid until: ${new Date(expiresAtMs).toISOString()}`,",
        to: "`Network: ${new URL(settings.linkBase).host}, Castellan's fid ${botFid}`,",
        tests: {
          [signature]: ["is refused, with what to do, > one of another user's text, or of another server's"],
        },
      },
      {
        broken: "a proof stays valid after the fid was sold",
        file: "src/moderation/proofs/staff-proofs.ts",
        from: "const isSame = proof.custodyAddress === null || proof.custodyAddress === custody;",
        to: "const isSame = true;",
        tests: {
          [codeCasts]: [
            "a code that the channel's owner casts > proves nothing any more once the fid has another custody address",
          ],
        },
      },
      {
        broken: "a change of CHANNEL_GUILDS_FILE takes effect only after a restart",
        file: "src/start/channel-guilds.ts",
        from: "if (stampOf(path) !== stamp) {",
        to: 'if (stamp === "") {',
        tests: {
          "test/start/channel-guilds.test.ts": [
            "a change of the file counts at once, also where another file takes its place",
          ],
        },
      },
    ],
  },
];
