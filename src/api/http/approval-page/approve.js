/** Asks the wallet of this browser for the user's answer to a signed key request, and shows how the request stands. */
const token = new URLSearchParams(location.search).get("token") ?? "";
const wallet = window.ethereum;
const find = (id) => document.getElementById(id);
const lookEvery = 2000;

const standings = {
  pending: "Waiting for your answer.",
  approved: "Approved. The network is registering the key…",
  completed: "Done: the application can act for you. You may close this page.",
  refused: "Refused: the application gets nothing. You may close this page.",
  gone: "This request is not there: it has expired, was refused, or the address is incomplete.",
};

async function ask(path, options) {
  const response = await fetch(`/signed-key-request/${path}`, options);
  const body = await response.json();
  if (response.ok) return body.result;
  throw Object.assign(new Error(body.errors?.[0]?.message ?? "The network did not answer."), {
    status: response.status,
  });
}

function show(state) {
  document.body.dataset.state = state;
  find("standing").textContent = standings[state];
  find("answering").hidden = state !== "pending";
}

function fill({ requestFid, requestName, key, answerUntil, sponsored, deeplinkUrl, redirectUrl }) {
  const name = requestName ? `@${requestName}` : `application ${requestFid}`;
  find("heading").textContent = `Allow ${name} to act for you?`;
  find("application").textContent = requestName ? `@${requestName} (fid ${requestFid})` : `fid ${requestFid}`;
  find("key").textContent = key;
  find("deadline").textContent = new Date(answerUntil * 1000).toLocaleString();
  find("fees").textContent = sponsored ? "paid by the application" : "paid by you";
  find("code").src ||= `/signed-key-request/code.svg?token=${encodeURIComponent(token)}`;
  find("deeplink").href = deeplinkUrl;
  find("no-wallet").hidden = Boolean(wallet);
  find("approve").hidden = find("refuse").hidden = !wallet;
  if (redirectUrl) find("back").href = redirectUrl;
}

async function look() {
  try {
    const question = await ask(`question?token=${encodeURIComponent(token)}`);
    fill(question);
    find("request").hidden = false;
    show(question.state);
    find("back").hidden = !(question.redirectUrl && question.state !== "pending");
    if (question.state !== "completed") setTimeout(look, lookEvery);
  } catch (error) {
    if (document.body.dataset.state === "refused") return;
    if (error.status === 400 || error.status === 404) {
      find("request").hidden = true;
      find("heading").textContent = "Nothing to allow";
      show("gone");
    } else {
      tell(`${error.message} Trying again…`);
      setTimeout(look, lookEvery);
    }
  }
}

async function answer(choice) {
  tell("");
  setBusy(true);
  try {
    const [address] = await wallet.request({ method: "eth_requestAccounts" });
    const { fid: userFid } = await ask(`user?address=${address}`);
    const query = new URLSearchParams({ token, userFid, answer: choice });
    const { typedData } = await ask(`message?${query}`);
    const signature = await wallet.request({ method: "eth_signTypedData_v4", params: [address, typedData] });
    await ask("answer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, userFid, answer: choice, signature }),
    });
    show(choice === "refuse" ? "refused" : "approved");
  } catch (error) {
    const userRejected = 4001;
    tell(error.code === userRejected ? "Your wallet did not sign. Nothing has happened." : error.message);
  } finally {
    setBusy(false);
  }
}

function setBusy(busy) {
  for (const id of ["approve", "refuse"]) find(id).disabled = busy;
}

function tell(problem) {
  find("problem").textContent = problem;
  find("problem").hidden = problem === "";
}

find("approve").addEventListener("click", () => void answer("approve"));
find("refuse").addEventListener("click", () => void answer("refuse"));
void look();
