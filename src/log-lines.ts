/** The part of a log that the client and the clock write to; pino's and most other logs fit. */
export type LogLines = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

const skip = () => {};
export const noLines: LogLines = { debug: skip, info: skip, warn: skip, error: skip };
