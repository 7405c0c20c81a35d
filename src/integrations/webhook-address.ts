import { AppError } from "../errors.ts";

const maxLength = 500;

/**
 * Hosts that webhooks may call. Empty: every host with public addresses, over https. Otherwise only these, where `*.`
 * stands for any subdomain; the operator answers for them, so they may be private and use http.
 */
export type WebhookHosts = readonly string[];

/** A webhook's address in its normal form, when it is added and before each call. Throws `invalid_input` with the reason. */
export function readWebhookUrl(typed: string, hosts: WebhookHosts): string {
  const refuse = (why: string) => new AppError("invalid_input", `A webhook cannot call this address: ${why}`);
  const url = URL.canParse(typed.trim()) ? new URL(typed.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || typed.length > maxLength)
    throw refuse(`it must be an https address of at most ${maxLength} characters.`);
  if (url.username !== "" || url.password !== "") throw refuse("it contains a user or a password.");
  if (url.hash !== "") throw refuse("it has a part after #.");
  if (hosts.length > 0 && !isListed(url.hostname, hosts))
    throw refuse("the operator allows other hosts only (WEBHOOK_HOSTS).");
  if (url.protocol === "http:" && !isListed(url.hostname, hosts)) throw refuse("it must use https.");
  return url.href;
}

/** Whether the operator named this host. */
export function isListed(hostname: string, hosts: WebhookHosts): boolean {
  return hosts.some((host) => (host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host));
}
