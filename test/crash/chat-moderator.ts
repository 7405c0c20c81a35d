import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createTypist, textOf, type ChatMessage, type Typist } from "./chat.ts";
import type { CaseKind } from "./ledger.ts";
import { casts, trolls, type Moderator } from "./town.ts";
import { pick, type Person, type Scene } from "./traffic.ts";
import { Unanswered } from "./unanswered.ts";

/** What a moderator asks for, and the label of the button that does it where one is asked. */
interface Wish {
  kind: CaseKind;
  target: string;
  command: string;
  options: Record<string, string | boolean>;
  button?: string;
}

/** What a moderator is told whose call before was carried out, though they heard no answer, or that it failed. */
const doneAlready = /Nothing to lift|The user is banned already/;

/** Bans, lifts bans, hides, shows, pins: by slash commands in the local Discord, one after the other. */
export function chatModerator(scene: Scene, name: Moderator): Person {
  const typist = createTypist(scene.site, name, sandboxRooms.deskRoom);
  const last = new Map<string, CaseKind>();
  /** What a call was made about that may have been carried out, or may yet be. */
  const uncertain = new Set<string>();
  return async () => {
    const wish = chooseWish(scene, name, last);
    const wasUncertain = uncertain.has(wish.target);
    uncertain.add(wish.target);
    const shown = await carryOut(typist, wish);
    const [embed] = shown.embeds;
    const [, number, , state] = /^C-(\d+) · (.+) · (.+)$/.exec(embed?.title ?? "") ?? [];
    last.set(wish.target, wish.kind);
    if (number !== undefined && state !== undefined) {
      const { kind, target } = wish;
      scene.ledger.cases.push({ by: name, number: Number(number), kind, target, state });
      if (state === "done" || state === "nothing to do") uncertain.delete(target);
    } else if (textOf(shown).includes("The database")) {
      throw new Unanswered(textOf(shown));
    } else if (!wasUncertain || !doneAlready.test(textOf(shown))) {
      scene.ledger.surprises.push(`${name}, ${wish.command}: ${textOf(shown)}`);
    }
  };
}

async function carryOut(typist: Typist, { command, options, button }: Wish): Promise<ChatMessage> {
  const shown = await typist.type(command, options);
  const offered = shown.components.some(({ components }) => components.some(({ label }) => label === button));
  return button !== undefined && offered ? typist.click(shown, button) : shown;
}

function chooseWish(scene: Scene, name: Moderator, last: ReadonlyMap<string, CaseKind>): Wish {
  const chance = scene.random();
  if (name === "ada" && chance < 0.3) return chooseCastToPin(scene);
  if (chance < 0.6) {
    const target = String(pick(scene, trolls[name]));
    const options = { user: target };
    const ban = { ...options, duration: "permanent", reason: "spam" };
    return last.get(target) === "ban"
      ? { kind: "unban", target, command: "ban remove", options, button: "Lift the ban" }
      : { kind: "ban", target, command: "ban", options: ban, button: "Ban" };
  }
  const target = pick(scene, casts[name]).hash;
  const options = { cast: target };
  return last.get(target) === "hide"
    ? { kind: "unhide", target, command: "unhide", options }
    : { kind: "hide", target, command: "hide", options, button: "Hide" };
}

function chooseCastToPin(scene: Scene): Wish {
  const target = pick(scene, casts.pins).hash;
  if (scene.random() < 0.3) return { kind: "unpin", target: "", command: "pin", options: { clear: true } };
  const notify = scene.random() < 0.5;
  const pin = { kind: "pin" as const, target, command: "pin", options: { cast: target, notify } };
  return notify ? { ...pin, button: "Pin and notify everyone" } : pin;
}
