import type { Config } from "../../config.ts";
import { isLoopback } from "../../listening.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** Whether people at the console are told apart by their addresses, where a web server passes them on. */
export function checkConsole({ CONSOLE_URL, CONSOLE_HOST, TRUSTED_PROXIES }: Config): Finding {
  if (CONSOLE_URL === undefined) return ok("Console", "CONSOLE_URL is not set: only the sandbox has it");
  const isBehindProxy = new URL(CONSOLE_URL).protocol === "https:" && isLoopback(CONSOLE_HOST);
  if (isBehindProxy && (TRUSTED_PROXIES ?? []).length === 0) {
    return wrong(
      "Console",
      "TRUSTED_PROXIES is not set, so all who sign in have the web server's address and share one limit.",
      "Set TRUSTED_PROXIES=127.0.0.1, and have the web server set X-Forwarded-For.",
    );
  }
  return ok("Console", CONSOLE_URL);
}
