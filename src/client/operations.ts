import type { createClient } from "./create-client.ts";

/** The network as `createClient` returns it. */
export type Client = ReturnType<typeof createClient>;

type CallOf<Group extends keyof Client, Name> = Name extends keyof Client[Group]
  ? Client[Group][Name]
  : never;
type GroupedCall<Name extends string> = Name extends `${infer Group extends keyof Client}.${infer Call}`
  ? Extract<CallOf<Group, Call>, (...given: never) => unknown>
  : never;

/** The name of a call with its group, such as `channelBans.ban`. */
export type Operation = {
  [Group in keyof Client]: `${Group}.${keyof Client[Group] & string}`;
}[keyof Client];

/** The parameters of a call: `InputOf<"channelBans.ban">`. */
export type InputOf<Name extends Operation> = Parameters<GroupedCall<Name>>[0];

/** The result of a call: `ResultOf<"channels.get">`. */
export type ResultOf<Name extends Operation> = Awaited<ReturnType<GroupedCall<Name>>>;
