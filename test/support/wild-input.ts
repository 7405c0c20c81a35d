import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { z } from "zod";
import { buildRequest } from "../../src/client/create-caller.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { CastHash, ChannelId } from "../../src/contract/values.ts";

/**
 * Inputs of an endpoint: mostly of the right shape, with values that are right, nearly right or of quite another kind,
 * so that many get past the schema and the rest try its edges.
 */
export function wildInput(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(endpoint.input.shape).map(
    ([name, schema]) => [name, wildValue(schema)] as const,
  );
  const page = endpoint.paginated ? { limit: fc.oneof(wildNumber, wildText), cursor: wildCursor } : {};
  const declared = fc.record({ ...Object.fromEntries(fields), ...page }, { requiredKeys: [] });
  const complete = fc.record(Object.fromEntries(fields));
  const extra = fc.dictionary(wildText, fc.jsonValue(), { maxKeys: 2 });
  return fc
    .tuple(
      fc.oneof(complete, declared),
      fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: extra }),
    )
    .map(([known, unknown]) => ({ ...unknown, ...known }));
}

/** Sends an input as it is, with what its endpoint does not know, and without reading it first. */
export function sendWild(
  server: FastifyInstance,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  token: string,
): Promise<LightMyRequestResponse> {
  const { url, body } = buildRequest({ ...endpoint, input: endpoint.input.loose() }, "", input);
  return server.inject({
    method: endpoint.method,
    url: url.replaceAll("\0", "%00"),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { payload: body }),
  });
}

const wildText = fc.oneof(
  fc.constantFrom(
    "",
    "\0",
    "a\0b",
    "\ud800",
    "' or 1=1 --",
    "%00",
    "true",
    "null",
    "[]",
    "{}",
    "0x",
    "-1",
    "1e9",
    "NaN",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const wildNumber = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, -1, 1.5, 1e21, 2 ** 31, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE),
  fc.integer(),
);
/** Cursors that decode, to positions that nobody gave. */
const wildCursor = fc.oneof(
  wildText,
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
);
const fewFids = fc.constantFrom(1, 2, 3, 4, 9);
const hexText = (digits: number) =>
  fc.string({
    unit: fc.constantFrom(..."0123456789abcdefABCDEF".split("")),
    minLength: digits,
    maxLength: digits,
  });

function wildValue(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: likelyValue(schema) },
    { weight: 1, arbitrary: fc.oneof(wildText, wildNumber, fc.jsonValue()) },
  );
}

function likelyValue(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema === ChannelId) return fc.constantFrom("memes", "art", "gone");
  if (schema === CastHash)
    return fc.oneof(
      fc.constantFrom(1, 2, 3).map(seededHash),
      hexText(40).map((digits) => `0x${digits}`),
    );
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return likelyValue(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return likelyValue(schema.in);
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(likelyValue));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return fc.oneof(fewFids, wildNumber);
  if (schema instanceof z.ZodArray) return fc.array(wildValue(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodString) {
    return fc.oneof(
      fewFids.map(String),
      fc.constantFrom("memes", "alice"),
      hexText(40).map((digits) => `0x${digits}`),
      wildText,
    );
  }
  return fc.jsonValue();
}

/** The hash that the seed gives its nth cast. */
function seededHash(count: number): string {
  return `0x${count.toString(16).padStart(40, "0")}`;
}

interface RawExchange {
  /** Waited for after each piece, with how many were written. */
  after?: (sent: number) => Promise<unknown>;
  /** Our side ends first. */
  endsAfterwards?: boolean;
}

/** Writes bytes to a port of loopback as they are, and gives back all that comes until the other side ends. */
export async function exchangeRaw(
  port: number,
  pieces: string[],
  { after, endsAfterwards = false }: RawExchange = {},
): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  let received = "";
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  // A reset after the answer is an end like any other.
  socket.on("error", () => {});
  await once(socket, "connect");
  for (const [index, piece] of pieces.entries()) {
    socket.write(piece, "latin1");
    await after?.(index + 1);
  }
  if (endsAfterwards) socket.end();
  if (!socket.closed) await once(socket, "close");
  return received;
}
