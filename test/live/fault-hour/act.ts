import { proposeCase, type Proposal } from "../../../src/moderation/cases/propose.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import { findUser } from "../../../src/moderation/find-target.ts";
import { asAppError } from "../../../src/errors.ts";
import { guild } from "../../support/observer.ts";
import { linkedChannels, type Scene } from "./open-scene.ts";
import type { Random } from "./random.ts";
import type { KnownCast, Traffic } from "./traffic.ts";

/** Moderators who use the bot's commands, as these do their work once they are confirmed. */
export interface Moderators {
  step(seconds: number): void;
  /** Until all that was asked for has its answer. */
  finish(): Promise<void>;
}

/** Commands in an hour. */
const hourly = 60;

type Wish = Pick<Proposal, "kind" | "channelId"> &
  Partial<Pick<Proposal, "targetFid" | "targetCast" | "role" | "forSeconds">>;

export function createModerators(scene: Scene, traffic: Traffic, random: Random): Moderators {
  const running = new Set<Promise<void>>();
  const banned: Wish[] = [];
  const hidden: KnownCast[] = [];

  function think(): Wish | undefined {
    const channelId = random.pick(linkedChannels);
    const { channels } = scene.client;
    switch (
      random.pick(["ban", "ban", "hide", "hide", "unban", "unhide", "invite", "remove", "pin", "revoke"])
    ) {
      case "ban": {
        const targetFid = traffic.newcomer();
        const isTimed = random.chance(0.4);
        const ban = {
          kind: "ban" as const,
          channelId,
          targetFid,
          ...(isTimed && { forSeconds: random.between(120, 900) }),
        };
        if (!isTimed) banned.push(ban);
        return ban;
      }
      case "unban": {
        const ban = banned.shift();
        return ban && { ...ban, kind: "unban" };
      }
      case "hide": {
        const cast = traffic.takeCast();
        if (cast) hidden.push(cast);
        return cast && { kind: "hide", channelId: cast.channelId, targetCast: cast.hash };
      }
      case "unhide": {
        const cast = hidden.shift();
        return cast && { kind: "unhide", channelId: cast.channelId, targetCast: cast.hash };
      }
      case "pin": {
        const cast = traffic.takeCast();
        return cast && { kind: "pin", channelId: cast.channelId, targetCast: cast.hash };
      }
      case "remove": {
        const targetFid = traffic.newcomer();
        channels.setStanding(channelId, targetFid, "member");
        return { kind: "remove_member", channelId, targetFid, role: "member" };
      }
      case "revoke": {
        const targetFid = traffic.newcomer();
        channels.follow(channelId, targetFid);
        channels.invite(channelId, targetFid, "member", 1);
        return { kind: "revoke_invite", channelId, targetFid, role: "member" };
      }
      default: {
        const targetFid = traffic.newcomer();
        channels.follow(channelId, targetFid);
        return { kind: "invite", channelId, targetFid, role: "member" };
      }
    }
  }

  async function carryOut(wish: Wish): Promise<void> {
    const { context } = scene;
    const proposal = { ...wish, guildId: guild, actor: { userId: "100" } };
    const asked = await context.database.transaction((tx) => proposeCase(tx, context.clock, proposal));
    scene.note(
      `a moderator asks for #${asked.id}: ${wish.kind} ${wish.targetFid ?? wish.targetCast} in ${wish.channelId}`,
    );
    const settled = await applyCase(context, asked.id);
    scene.note(`#${asked.id} is ${settled.state}: ${settled.outcome ?? settled.waitingReason}`);
  }

  /** A name that the hub may not have told of yet: the registry is asked then. */
  async function lookUp(): Promise<void> {
    const [name, fid] = random.pick([...scene.registry.names]);
    const user = await findUser(scene.context, `@${name}`);
    if (!scene.registry.holders.has(`${name} ${user.fid}`)) {
      scene.bugs.push(`@${name} is ${user.fid}, where it was ${fid}`);
    }
  }

  const begin = (work: Promise<void>) => {
    const own = work.catch((error: unknown) => {
      // What a moderator reads: the network's or the database's silence.
      if (!asAppError(error))
        scene.bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
    running.add(own);
    void own.then(() => running.delete(own));
  };
  return {
    step(seconds) {
      if (!random.chance((hourly * seconds) / 3600)) return;
      const wish = think();
      if (wish) begin(carryOut(wish));
      if (scene.registry.names.size > 0 && random.chance(0.3)) begin(lookUp());
    },
    async finish() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
