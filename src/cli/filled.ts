import { InvalidArgumentError } from "commander";

/** A required argument. It must not be empty, for example because of an empty variable in a script. */
export function filled(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

/** Discord's id of a server, not its name. */
export function serverId(value: string): string {
  if (/^[0-9]{1,20}$/.test(value)) return value;
  throw new InvalidArgumentError("It must be Discord's id of the server, such as 123456789012345678.");
}
