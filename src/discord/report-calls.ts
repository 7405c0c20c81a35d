import type { RESTOptions } from "discord.js";
import { report } from "../telemetry.ts";

type MakeRequest = RESTOptions["makeRequest"];

/** Sends requests unchanged, and reports Discord's response times and results. */
export function reportCalls(makeRequest: MakeRequest): MakeRequest {
  return async (url, init) => {
    const began = performance.now();
    const end = (code: string) =>
      report("castellan:discord.called", {
        route: nameRoute(init.method ?? "GET", url),
        code,
        seconds: (performance.now() - began) / 1000,
      });
    try {
      const response = await makeRequest(url, init);
      end(String(response.status));
      return response;
    } catch (error) {
      end("none");
      throw error;
    }
  };
}

/** A route in Discord's notation: "POST /channels/:id/messages". Everything except plain words is an id or a token. */
export function nameRoute(method: string, url: string): string {
  const [, path = ""] = /\/v\d+(\/[^?]*)/.exec(url) ?? [];
  const words = path.split("/").map((word) => (/^(@?[a-z-]{1,30})?$/.test(word) ? word : ":id"));
  return `${method} ${words.join("/")}`;
}
