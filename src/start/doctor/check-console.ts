import type { Config } from "../../config.ts";
import { isLoopback } from "../../listening.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** Whether the console can distinguish its users' addresses behind a web server. */
export function checkConsole({ CONSOLE_URL, CONSOLE_HOST, TRUSTED_PROXIES }: Config): Finding {
  if (CONSOLE_URL === undefined) return ok("Console", "CONSOLE_URL is not set (sandbox only)");
  const isBehindProxy = new URL(CONSOLE_URL).protocol === "https:" && isLoopback(CONSOLE_HOST);
  if (isBehindProxy && (TRUSTED_PROXIES ?? []).length === 0) {
    return wrong(
      "Console",
      "TRUSTED_PROXIES is not set, so all users seem to have the web server's address and share one sign-in limit.",
      "Set TRUSTED_PROXIES=127.0.0.1, and configure the web server to set X-Forwarded-For.",
    );
  }
  return ok("Console", CONSOLE_URL);
}
