import type { JsonSchema } from "./json-schema.ts";

const hex = (bytes: number, pair: string) => `0x${pair.repeat(bytes)}`;

/** Example values for schemas that say only "text" or "number". */
const byName: Record<string, unknown> = {
  aboutUrl: "https://poll.example/about",
  actionUrl: "https://poll.example/action",
  answerUntil: 1_900_000_000,
  address: "0x8773442740C17C9d0F0B87022c722F9a136206eD",
  cursor: "eyJwIjoxfQ",
  data: {},
  deadline: 1_900_000_000,
  deeplinkUrl: `castellan://signed-key-request?token=${hex(12, "ab")}`,
  description: "One picture, many words.",
  domain: "poll.example",
  fids: "3621,12",
  frameName: "Poll",
  hash: hex(20, "71"),
  icon: "graph",
  id: 421,
  imageUrl: "https://castle.example/memes.png",
  headerImageUrl: "https://castle.example/header.png",
  key: hex(32, "5a"),
  name: "Memes",
  owner: "0x8773442740c17c9d0f0b87022c722f9a136206ed",
  parentUrl: "https://castle.example/~/channel/memes",
  platformId: "80351110224678912",
  platformUsername: "alice",
  postUrl: "https://poll.example/act",
  redirectUrl: "https://app.example/back",
  requestName: "gardeners-app",
  score: 97.5,
  server_signature: hex(65, "1b"),
  signature: hex(65, "1b"),
  signer: "0xBc5274eFc266311015793d89E9B591fa46294741",
  status: "ok",
  text: "gm",
  title: "More of it",
  token: hex(12, "ab"),
  type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
  typedData: "{}",
  url: "https://castle.example/~/channel/memes",
  user_signature: hex(65, "1b"),
  username: "alice",
  walletAddress: "0x8773442740C17C9d0F0B87022c722F9a136206eD",
};

/** A value that the schema allows, with every optional field; `name` is the field's name. */
export function makeExample(schema: JsonSchema, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return makeExample(schema.anyOf[0] ?? {}, name);
  if (schema.type === "object") {
    if (schema.examples) return schema.examples[0];
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([key, part]) => [key, makeExample(part, key)]));
  }
  if (schema.type === "array") return schema.items ? [makeExample(schema.items, name)] : [];
  if (schema.type === "boolean") return true;
  const named = byName[name];
  const isNumber = schema.type === "integer" || schema.type === "number";
  if (typeof named === (isNumber ? "number" : "string") && !isPatterned(schema, named)) return named;
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  return isNumber ? 1 : "text";
}

function isPatterned({ pattern }: JsonSchema, value: unknown): boolean {
  return typeof pattern === "string" && typeof value === "string" && !new RegExp(pattern, "u").test(value);
}
