import { InvalidArgumentError } from "commander";

/** A required argument. It must not be empty, for example because of an empty variable in a script. */
export function filled(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}
