/** Asks the browser's wallet for the user's answer to a signed key request, and shows the request's state. */
import type { z } from "zod";
import type { KeyQuestion, signedKeyAnswers } from "../../../contract/signed-keys.ts";
import { Refused } from "../../../web/kit/request.ts";

declare global {
  interface Window {
    /** The wallet, by EIP-1193. */
    ethereum?: { request(call: { method: string; params?: unknown[] }): Promise<unknown> };
  }
}

type Calls = typeof signedKeyAnswers;

const token = new URLSearchParams(location.search).get("token") ?? "";
const wallet = window.ethereum;
const lookEvery = 2000;

const standings = {
  pending: "Waiting for your answer.",
  approved: "Approved. The network is registering the key…",
  completed: "Done: the application can act for you. You can close this page.",
  refused: "Refused: the application cannot act for you. You can close this page.",
  gone: "Request not found: it has expired, was refused, or the address is incomplete.",
};

function find<T extends keyof HTMLElementTagNameMap>(tag: T, id: string): HTMLElementTagNameMap[T] {
  const element = document.querySelector<HTMLElementTagNameMap[T]>(`${tag}#${id}`);
  if (element) return element;
  throw new Error(`the page has no ${tag} called ${id}`);
}

/** Throws Refused, with the response's status as its code. */
async function ask<C extends keyof Calls>(
  call: C,
  query: Record<string, string>,
  options: RequestInit = {},
): Promise<z.infer<Calls[C]["result"]>> {
  const response = await fetch(`/signed-key-request/${call}?${new URLSearchParams(query)}`, options);
  // A result or error by the contract.
  const body = (await response.json()) as {
    result: z.infer<Calls[C]["result"]>;
    errors?: { message: string }[];
  };
  if (response.ok) return body.result;
  const message = body.errors?.[0]?.message ?? "The network did not respond.";
  throw new Refused(message, { code: String(response.status) });
}

function show(state: keyof typeof standings): void {
  document.body.dataset.state = state;
  find("p", "standing").textContent = standings[state];
  find("div", "answering").hidden = state !== "pending";
}

function fill(question: KeyQuestion): void {
  const { requestFid, requestName, key, answerUntil, sponsored, deeplinkUrl, redirectUrl } = question;
  const name = requestName ? `@${requestName}` : `application ${requestFid}`;
  find("h1", "heading").textContent = `Allow ${name} to act for you?`;
  find("dd", "application").textContent = requestName
    ? `@${requestName} (fid ${requestFid})`
    : `fid ${requestFid}`;
  find("code", "key").textContent = key;
  find("dd", "deadline").textContent = new Date(answerUntil * 1000).toLocaleString();
  find("dd", "fees").textContent = sponsored ? "paid by the application" : "paid by you";
  find("img", "code").src ||= `/signed-key-request/code.svg?token=${encodeURIComponent(token)}`;
  find("a", "deeplink").href = deeplinkUrl;
  find("p", "no-wallet").hidden = Boolean(wallet);
  find("button", "approve").hidden = find("button", "refuse").hidden = !wallet;
  if (redirectUrl) find("a", "back").href = redirectUrl;
}

async function look(): Promise<void> {
  const again = () => void setTimeout(() => void look(), lookEvery);
  try {
    const question = await ask("question", { token });
    fill(question);
    find("section", "request").hidden = false;
    show(question.state);
    find("a", "back").hidden = !(question.redirectUrl && question.state !== "pending");
    if (question.state !== "completed") again();
  } catch (error) {
    if (document.body.dataset.state === "refused") return;
    if (error instanceof Refused && ["400", "404"].includes(error.code)) {
      find("section", "request").hidden = true;
      find("h1", "heading").textContent = "Nothing to allow";
      show("gone");
    } else {
      tell(`${messageOf(error)} Trying again…`);
      again();
    }
  }
}

async function answer(choice: "approve" | "refuse"): Promise<void> {
  if (!wallet) return;
  tell("");
  setBusy(true);
  try {
    // The results of these calls by EIP-1193 and EIP-712.
    const [address = ""] = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
    const { fid: userFid } = await ask("user", { address });
    const { typedData } = await ask("message", { token, userFid: String(userFid), answer: choice });
    const signature = await wallet.request({ method: "eth_signTypedData_v4", params: [address, typedData] });
    await ask(
      "answer",
      {},
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token, userFid, answer: choice, signature }),
      },
    );
    show(choice === "refuse" ? "refused" : "approved");
  } catch (error) {
    tell(isRejection(error) ? "Your wallet did not sign. Nothing has happened." : messageOf(error));
  } finally {
    setBusy(false);
  }
}

/** Whether the user rejected the signature in the wallet. */
function isRejection(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === 4001;
}

/** Wallets may throw things other than errors. */
function messageOf(error: unknown): string {
  const isWorded = typeof error === "object" && error !== null && "message" in error;
  return isWorded ? String(error.message) : String(error);
}

function setBusy(busy: boolean): void {
  for (const id of ["approve", "refuse"]) find("button", id).disabled = busy;
}

function tell(problem: string): void {
  find("p", "problem").textContent = problem;
  find("p", "problem").hidden = problem === "";
}

find("button", "approve").addEventListener("click", () => void answer("approve"));
find("button", "refuse").addEventListener("click", () => void answer("refuse"));
void look();
