import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createScriptedServer, operatorToken } from "../../support/served-network.ts";

const url = "/operator/backup";
const authorization = `Bearer ${operatorToken}`;

describe("GET /operator/backup", () => {
  it("gives the archive to the operator alone, and begins none for HEAD", async () => {
    let begun = 0;
    const backUp = async () => {
      begun += 1;
      return Readable.from([Buffer.from("the "), Buffer.from("archive")]);
    };
    const { server } = await createScriptedServer({ backUp });
    expect((await server.inject({ url })).statusCode).toBe(401);
    expect((await server.inject({ url, headers: { authorization, origin: "null" } })).statusCode).toBe(403);
    expect((await server.inject({ method: "HEAD", url, headers: { authorization } })).statusCode).toBe(404);
    expect(begun).toBe(0);
    const answer = await server.inject({ url, headers: { authorization } });
    expect([answer.statusCode, answer.body]).toEqual([200, "the archive"]);
    expect(answer.headers).toMatchObject({ "content-type": "application/gzip", "cache-control": "no-store" });
  });

  it("says when another one is being made", async () => {
    const backUp = () => Promise.reject(new AppError("not_ready", "Another backup.", { retryAfter: 10 }));
    const { server } = await createScriptedServer({ backUp });
    const answer = await server.inject({ url, headers: { authorization } });
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "10"]);
  });

  it("points to pg_dump where the data is on a database server", async () => {
    const { server } = await createScriptedServer();
    const answer = await server.inject({ url, headers: { authorization } });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain("pg_dump");
  });
});
