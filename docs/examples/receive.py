#!/usr/bin/env python3
"""Receives Castellan's webhooks: checks each call, and prints one line per case, review, hit and message.

    SECRET=whsec_... python3 receive.py 9000

Put a server with TLS in front of it, such as Caddy. Only Python's standard library is needed.
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
MAX_BODY = 1_000_000
# In seconds. A call that is made again has a new time, but the same id, up to a day later.
TOLERANCE = 300
REMEMBERED = 100_000
done = OrderedDict()


def is_genuine(headers, body):
    """Whether Castellan made this call, just now."""
    call_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE:
        return False
    signed = f"{call_id}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


def handle(call_id, payload):
    """Does the work once: a call may arrive again, because its first answer was lost."""
    if call_id in done:
        return
    print(f"{payload['type']} {describe(payload)}".rstrip(), flush=True)
    done[call_id] = True
    if len(done) > REMEMBERED:
        done.popitem(last=False)


def describe(payload):
    kind, data = payload["type"], payload["data"]
    if kind in ("case.opened", "case.settled"):
        case = data["case"]
        return f"{case['number']} in {case['channel']}: {case['action']} {case['state']}"
    if kind == "review.opened":
        return f"{data['review']['number']}: {data['review']['text']}"
    if kind == "rule.hit":
        return f"{data['rule']} ({data['mode']}) in {data['channel']}"
    return data.get("title", "")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            return 413
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return 401
        handle(self.headers["webhook-id"], json.loads(body))
        return 204

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
