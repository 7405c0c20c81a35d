import type { CommandContext } from "../../src/discord/command-context.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { describeTime } from "../../src/text/message-text.ts";

/** The difference between the machine's clock and the network's that is reported, in milliseconds. */
const maxAhead = 5_000;

/** Empty while this machine's clock is right and was not changed. */
export function describeClock(context: CommandContext): { name: string; value: string }[] {
  const { machineAhead, jump } = context.clockStatus();
  const lines: string[] = [];
  if (Math.abs(machineAhead) > maxAhead) {
    const way = machineAhead > 0 ? "ahead of" : "behind";
    lines.push(
      `The clock of Castellan's machine is **${describeSkew(machineAhead)} ${way}** the network's. Castellan uses the network's time. Correct the machine's clock.`,
    );
  }
  if (jump) {
    const way = jump.by > 0 ? "forward" : "back";
    lines.push(
      `The clock of Castellan's machine **jumped ${way} by ${describeSkew(jump.by)}**, ${describeTime(jump.at / 1000)}.`,
    );
  }
  return lines.length === 0 ? [] : [{ name: "Clock", value: lines.join("\n") }];
}

function describeSkew(milliseconds: number): string {
  return formatDuration(Math.round(Math.abs(milliseconds) / 1000), { minutesFrom: 120, hoursFrom: 120 });
}
