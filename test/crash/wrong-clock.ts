import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../src/errors.ts";

/** The clock of a machine, which the real time does not depend on. */
export interface WrongClock {
  /** Environment of a process that has it. */
  environment: Record<string, string>;
  /** Sets it to this many seconds from the right time, also for processes that run. */
  set(seconds: number): Promise<void>;
}

const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** Needs libfaketime (the package `faketime`). Timers and what measures intervals stay real. */
export async function openWrongClock(directory: string, seconds: number): Promise<WrongClock> {
  const library = libraries.find((file) => existsSync(file));
  if (!library) {
    throw new AppError("invalid_configuration", "This needs libfaketime: apt-get install faketime.");
  }
  const file = join(directory, "clock");
  const set = (ahead: number) => writeFile(file, `${ahead < 0 ? "" : "+"}${ahead}\n`);
  await set(seconds);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return { environment, set };
}
