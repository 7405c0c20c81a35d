import type { Point } from "../fault.ts";

const become = "test/moderation/become-moderator.test.ts";
const changes = "test/observe/live-changes.test.ts";
const readRefusal = "test/client/read-refusal.test.ts";
const readResult = "test/client/read-result.test.ts";
const unreadable = "test/moderation/unreadable-rows.test.ts";

/** C1 to C6: what the client API answers. */
export const clientAnswers: readonly Point[] = [
  {
    id: "C1",
    holds: "Times are seconds or milliseconds, recognized by size. Pages end in several forms.",
    faults: [
      {
        broken: "milliseconds are read as seconds",
        file: "src/client/lenient.ts",
        from: "Math.trunc(time > 1e11 ? time / 1000 : time)",
        to: "Math.trunc(time)",
        tests: {
          [readResult]: ["answers of the client API > have times in seconds: 1700000000999"],
          [changes]: [
            "where it does not > bans, restrictions, invites and records of all channels are asked for at once, the rest by turns",
          ],
        },
      },
      {
        broken: "an empty cursor counts as a cursor",
        file: "src/client/read-result.ts",
        from: ".object({ cursor: z.string().min(1) })",
        to: ".object({ cursor: z.string() })",
        tests: { [readResult]: ['answers of the client API > end where next is {"cursor":""}'] },
      },
    ],
  },
  {
    id: "C2",
    holds:
      "Castellan follows a linked channel, accepts the invite as member, then the one as moderator, and reports what is missing.",
    faults: [
      {
        broken: "the bot does not follow the channel, so nobody can invite it",
        file: "src/moderation/become-moderator.ts",
        from: "  if (!following) await network.channelFollows.follow({ channelId }, options);\n",
        to: "",
        tests: {
          [become]: [
            "a bot that the network's operator did not allowlist > follows what is linked, accepts both invites, and tells that it moderates",
          ],
        },
      },
      {
        broken: "the bot accepts only as moderator",
        file: "src/moderation/become-moderator.ts",
        from: 'for (const role of ["member", "moderator"] as const) {',
        to: 'for (const role of ["moderator"] as const) {',
        tests: {
          [become]: [
            "a bot that the network's operator did not allowlist > accepts at the link what it was invited to before",
          ],
        },
      },
      {
        broken: "the reason why it stopped is not reported",
        file: "src/moderation/become-moderator.ts",
        from: "onboarding_error = ${refusal ?? null},",
        to: "onboarding_error = null,",
        tests: {
          [become]: [
            "a bot that the network's operator did not allowlist > is linked also where the network lets it do nothing, and says what it answered, there and later",
          ],
        },
      },
    ],
  },
  {
    id: "C3",
    holds:
      "The status decides whether a refusal is final, regardless of its code. The moderator sees the network's own message.",
    faults: [
      {
        broken: "a refusal with an unknown code counts as temporary, and is retried for minutes",
        file: "src/client/read-refusal.ts",
        from: 'isFinalStatus(status) ? "network_refused" : "network_failed"',
        to: '"network_failed"',
        tests: {
          [readRefusal]: [
            "what a refusal says > is final or not by its status 403 where its reason is a word that we do not know",
          ],
        },
      },
      {
        broken: "408 and 425 are final",
        file: "src/errors.ts",
        from: "![408, 425, 429].includes(status)",
        to: "![429].includes(status)",
        tests: {
          [readRefusal]: [
            "what a refusal says > is final or not by its status 408 where its reason is a word that we do not know",
            "what a refusal says > is final or not by its status 425 where its reason is a word that we do not know",
          ],
        },
      },
      {
        broken: "the moderator sees that the network refused, but not why",
        file: "src/moderation/cases/outcome.ts",
        from: "findText(texts.rejections, code) ?? texts.refused(message)",
        to: 'findText(texts.rejections, code) ?? "The network refused."',
        tests: {
          "test/moderation/cases/apply.test.ts": [
            "a refusal for a reason that nobody here knows fails the case at once, with the network's own sentence",
          ],
        },
      },
    ],
  },
  {
    id: "C4",
    holds: "A row with an unknown role, action or type is skipped and reported; its page is used.",
    faults: [
      {
        broken: "one malformed row fails the page",
        file: "src/client/lenient.ts",
        from: "if (errors.some((error) => error === undefined)) {",
        to: "if (errors.every((error) => error === undefined)) {",
        tests: {
          [readResult]: [
            "answers of the client API > lose a row that is of another make, not the page, and say so once",
          ],
        },
      },
      {
        broken: "a skipped row is not reported",
        file: "src/client/lenient.ts",
        from: "      for (const error of errors) if (error) onDropped(name, error);\n",
        to: "",
        tests: {
          [readResult]: [
            "answers of the client API > lose a row that is of another make, not the page, and say so once",
          ],
          [unreadable]: ["A verified account of another make does not end the link that it may prove"],
        },
      },
      {
        broken: "an event of an unknown type is dropped without reading its channel",
        file: "src/observe/live/poll-channel-events.ts",
        from: '      return [{ ...base, what: "other" }];',
        to: "      return [];",
        tests: {
          [changes]: [
            "where the network gives the events of all channels > one of a type of tomorrow costs no other, and its channel is looked at",
          ],
        },
      },
    ],
  },
  {
    id: "C5",
    holds: "No poll and no command requests the list of all channels, which takes many megabytes.",
    faults: [
      {
        broken: "a channel is searched for in the list of all channels",
        file: "src/observe/listings/poll-listings.ts",
        from: "const { channel } = await network.channels.get({ channelId });",
        to: "const channel = (await network.channels.all({})).channels.find(({ id }) => id === channelId) as Channel;",
        tests: { [changes]: ["no poll requests all channels"] },
      },
      {
        broken: "the channel of an unseen cast is searched for in the list of all channels",
        file: "src/moderation/authorize.ts",
        from: "  if (live) return undefined;\n",
        to: "",
        tests: {
          [unreadable]: [
            "On the live network nothing is done to a cast that nobody saw, and nothing is asked for",
          ],
        },
      },
    ],
  },
  {
    id: "C6",
    holds:
      "If channel-events answers, one call reports all channels, each event once, by its id and time; otherwise listings do.",
    faults: [
      {
        broken: "an event that arrived before is announced again",
        file: "src/observe/live/poll-channel-events.ts",
        from: "return events.filter(({ eventId }) => unseen.has(eventId));",
        to: "return [...events].filter(({ eventId }) => unseen.has(eventId) || eventId);",
        tests: {
          [changes]: [
            "where the network gives the events of all channels > what happened is told within five seconds, once, with its time, by one call for all",
          ],
        },
      },
      {
        broken: "only the page's last pin is compared with the one in a listing",
        file: "src/observe/live/channel-changes.ts",
        from: "const shownPin = changes.findLast((one) => isPin(one) && pinOf(one) === pinned);",
        to: "const shownPin = [changes.findLast(isPin)].find((one) => one && pinOf(one) === pinned);",
        tests: {
          [changes]: [
            "where the network gives the events of all channels > pins of one second, each shown by a reading before their events, are told once, whatever is pinned next",
          ],
        },
      },
      {
        broken: "an event from before the last reading is applied after the rest of its page",
        file: "src/observe/live/store-changes.ts",
        from: "const events = [...eventsOf.values()].flat();",
        to: "const events = [...eventsOf.values()].flat().toReversed();",
        tests: {
          [changes]: [
            "where the network gives the events of all channels > changes of one moment are told in their order",
          ],
        },
      },
      {
        broken: "of more than one page only the newest events are announced",
        file: "src/observe/live/poll-channel-events.ts",
        from: "const reachesBack = oldest <= known || known === 0;",
        to: "const reachesBack = oldest <= known || known >= 0;",
        tests: {
          [changes]: [
            "where the network gives the events of all channels > a process that dies, and one that was long away, miss nothing and tell nothing twice",
          ],
        },
      },
      {
        broken: "without such events, news waits for its channel's turn",
        file: "src/observe/live/poll-live.ts",
        from: "  await pollNewest(context, Math.max(events.succeeded_at_ms ?? 0, events.position));\n",
        to: "",
        tests: {
          [changes]: [
            "where it does not > bans, restrictions, invites and records of all channels are asked for at once, the rest by turns",
          ],
        },
      },
    ],
  },
];
