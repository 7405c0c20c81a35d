import { expect, test } from "vitest";
import {
  commandMistake,
  findCommands,
  readTypedCommand,
  splitOptions,
  unknownOption,
} from "../../../src/sandbox/page/chat/typed-command.ts";

const runnable = [
  { path: "channel info", description: "Whom nothing is hidden from", options: [{ name: "channel" }] },
  { path: "channel link", description: "d", options: [{ name: "channel" }] },
  { path: "ban add", description: "d", options: [{ name: "user" }, { name: "reason" }] },
  { path: "status", description: "d", options: [] },
];

test.each<[string, string, Record<string, string>]>([
  ["/channel link channel:garden", "channel link", { channel: "garden" }],
  ["/channel  link\tchannel:garden\n", "channel link", { channel: "garden" }],
  ["/channel link garden", "channel link", { channel: "garden" }],
  ["/channel link ", "channel link", {}],
  ["/ban add user:@brook reason:two words: again", "ban add", { user: "@brook", reason: "two words: again" }],
  [
    "/ban add reason:see https://a.example/user:1 user:12",
    "ban add",
    { user: "12", reason: "see https://a.example/user:1" },
  ],
  ["/ban add brook reason:", "ban add", { user: "brook", reason: "" }],
  ["/status ", "status", {}],
  ["/status now", "status", {}],
])("%j is %s with its options", (text, path, given) => {
  expect(readTypedCommand(runnable, text)).toMatchObject({ command: { path }, given });
  expect(readTypedCommand(runnable, text)?.given).toEqual(given);
});

test.each(["/channel", "/channel link", "/channel lin channel:garden", "/", "/chanel link channel:x"])(
  "%j is not complete",
  (text) => expect(readTypedCommand(runnable, text)).toBeNull(),
);

test("a command is found by its name, never by what is said about it", () => {
  const found = (typed: string) => findCommands(runnable, typed).map(({ path }) => path);
  expect(found("nothing")).toEqual([]);
  expect(found("a")).toEqual(["ban add", "channel info", "channel link", "status"]);
  expect(found("link")).toEqual(["channel link"]);
});

test("what is typed in one option may go on to another", () => {
  const options = [{ name: "user" }, { name: "reason" }];
  expect(splitOptions(options, "two words ", "reason")).toEqual({ reason: "two words " });
  expect(splitOptions(options, "user:", "user")).toEqual({ user: "" });
  expect(splitOptions(options, "@brook reason:", "user")).toEqual({ user: "@brook", reason: "" });
});

test("mistakes are named, and a command that is there is never denied", () => {
  expect(unknownOption("chanel:garden")).toBe("chanel");
  expect(["https://a.example", "12:30", "garden"].map(unknownOption)).toEqual([null, null, null]);
  expect(commandMistake(runnable, "/channel unknown")).toBe("/channel needs a subcommand: info, link.");
  expect(commandMistake(runnable, "/chanel link")).toBe("There is no command /chanel here.");
});
