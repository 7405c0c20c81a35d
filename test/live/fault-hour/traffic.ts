import type { Json } from "../live-server.ts";
import { linkedChannels, urlOf, words, type Scene } from "./open-scene.ts";
import type { Random } from "./random.ts";

/** Something that the hub merged, and that the bot has to tell. */
export interface HubTruth {
  /** As `keyOf` gives it of what was told. */
  key: string;
  /** UNIX seconds. */
  at: number;
  /** Ids of the events that say so: a name's proof comes by every shard. */
  places: { shard: number; id: number }[];
  /** The hash of what a cast answers. */
  parent?: string | undefined;
}

/** A cast of a linked channel, as long as nobody took it away or did anything about it. */
export interface KnownCast {
  hash: string;
  fid: number;
  channelId: string;
}

export interface Traffic {
  /** What happens in so many seconds; what was put off and is due, happens too. */
  step(seconds: number): void;
  merged: HubTruth[];
  /** Casts that may be acted upon, once each. */
  takeCast(): KnownCast | undefined;
  /** Somebody of whom nobody has heard. */
  newcomer(): number;
}

/** How often things happen, in an hour. */
const hourly = {
  casts: 500,
  noise: 900,
  removals: 25,
  names: 40,
  invites: 25,
  bans: 20,
  hides: 30,
  pins: 8,
  follows: 60,
};

/** People who cast, name themselves, come and go, and moderate without the bot. */
export function createTraffic(scene: Scene, random: Random): Traffic {
  const { chain, client, clock } = scene;
  const { channels } = client;
  const merged: HubTruth[] = [];
  const casts: KnownCast[] = [];
  const later: { at: number; happen: () => void }[] = [];
  const open = new Map<number, { body: Json; truth: HubTruth | undefined }[]>();
  const names: { name: string; fid: number; at: number }[] = [];
  let newest = 5_000;
  const newcomer = () => (newest += 1);
  const now = () => Math.floor(clock.now() / 1000);
  const shards = [...chain.shards.keys()];
  const shardOf = (fid: number) => shards[fid % shards.length] ?? 1;
  const someone = () => random.between(2_000, 2_300);
  const channel = () => random.pick(linkedChannels);
  const putOff = (seconds: number, happen: () => void) => later.push({ at: now() + seconds, happen });
  const merge = (on: readonly number[], body: Json, key?: string, parent?: string) => {
    const truth = key === undefined ? undefined : { key, at: now(), places: [], parent };
    if (truth) merged.push(truth);
    for (const shard of on) open.set(shard, [...(open.get(shard) ?? []), { body, truth }]);
  };

  let spoken = 0;
  function castText(): { text: string; fid: number } {
    spoken += 1;
    const text = `gm ${spoken}`;
    if (random.chance(0.06)) return { text: `${text} ${words.hide}`, fid: newcomer() };
    if (random.chance(0.03)) return { text: `${text} ${words.ban}`, fid: newcomer() };
    return { text, fid: someone() };
  }

  const happenings: Record<keyof typeof hourly, () => void> = {
    casts() {
      const { text, fid } = castText();
      const parent = casts.length > 0 && random.chance(0.4) ? random.pick(casts.slice(-40)) : undefined;
      const channelId = parent?.channelId ?? channel();
      const place = parent
        ? { parent: { fid: parent.fid, hash: parent.hash } }
        : { parentUrl: urlOf(channelId) };
      const { hash, merged: body } = chain.cast({ fid, text, at: now(), ...place });
      channels.cast(channelId, hash, fid);
      casts.push({ hash, fid, channelId });
      merge([shardOf(fid)], body, `cast.created ${hash}`, parent?.hash);
    },
    noise() {
      spoken += 1;
      const fid = someone();
      const stranger = { fid: someone(), hash: `0x${spoken.toString(16).padStart(40, "0")}` };
      const place = random.chance(0.5) ? { parent: stranger } : { parentUrl: urlOf("elsewhere") };
      const { merged: body } = chain.cast({ fid, text: `elsewhere ${spoken}`, at: now(), ...place });
      merge([shardOf(fid)], body);
    },
    removals() {
      const cast = traffic.takeCast();
      if (!cast) return;
      merge([shardOf(cast.fid)], chain.removal(cast.fid, cast.hash, now()), `cast.removed ${cast.hash}`);
    },
    names() {
      const known = names.length > 0 && random.chance(0.3) ? random.pick(names) : undefined;
      const before = known && known.at < now() ? { ...known } : undefined;
      const fid = newcomer();
      const name = before?.name ?? `name-${names.length}`;
      const body = chain.proof(name, fid, now(), before && { fid: before.fid, at: before.at });
      merge(shards, body, `username_proof.merged ${name} ${fid}`);
      scene.registry.names.set(name, fid);
      scene.registry.holders.add(`${name} ${fid}`);
      if (known && before) Object.assign(known, { fid, at: now() });
      else names.push({ name, fid, at: now() });
    },
    invites() {
      const [id, fid, role] = [channel(), newcomer(), "member" as const];
      channels.follow(id, fid);
      channels.invite(id, fid, role, 1);
      const answers = random.chance(0.8);
      putOff(random.between(60, 900), () => {
        if (channels.all.get(id)?.invites.has(fid)) channels.answerInvite(id, fid, role, answers);
      });
    },
    bans() {
      const [id, fid] = [channel(), newcomer()];
      if (random.chance(0.5)) channels.setStanding(id, fid, "member");
      putOff(random.between(30, 300), () => channels.setStanding(id, fid, "banned"));
      if (random.chance(0.5))
        putOff(random.between(900, 1800), () => channels.setStanding(id, fid, "restricted"));
    },
    hides() {
      const cast = traffic.takeCast();
      if (!cast) return;
      channels.moderate(cast.hash, "hide");
      if (random.chance(0.4)) putOff(random.between(10, 900), () => channels.moderate(cast.hash, "unhide"));
    },
    pins() {
      const cast = traffic.takeCast();
      if (!cast) return;
      channels.pin(cast.hash, true);
      if (random.chance(0.3)) putOff(random.between(60, 600), () => channels.pin(cast.hash, false));
    },
    follows: () => channels.follow(channel(), newcomer()),
  };

  const traffic: Traffic = {
    merged,
    newcomer,
    takeCast() {
      // One that is a little older, and that no rule of ours does anything about.
      const index = casts.findLastIndex(
        ({ fid }, at) => fid < 5_000 && at < casts.length - random.between(3, 20),
      );
      return index < 0 ? undefined : casts.splice(index, 1)[0];
    },
    step(seconds) {
      for (const [what, happen] of Object.entries(happenings)) {
        // The keys of `happenings` are those of `hourly`.
        const expected = (hourly[what as keyof typeof hourly] * seconds) / 3600;
        const times = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
        for (let time = 0; time < times; time += 1) happen();
      }
      for (const { happen } of later.filter(({ at }) => at <= now())) happen();
      later.splice(0, later.length, ...later.filter(({ at }) => at > now()));
      confirm();
    },
  };

  /** Each shard confirms a block, whether anything was merged or not. */
  function confirm(): void {
    for (const shard of shards) {
      const entries = open.get(shard) ?? [];
      const [, ...ids] = chain.confirm(
        shard,
        now(),
        entries.map(({ body }) => body),
      );
      for (const [index, { truth }] of entries.entries()) truth?.places.push({ shard, id: ids[index] ?? 0 });
    }
    open.clear();
  }
  return traffic;
}
