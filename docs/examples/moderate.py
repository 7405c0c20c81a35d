#!/usr/bin/env python3
"""Moderates with Castellan's API: hides what the review queue holds if it has one of some words.

    CASTELLAN=https://castellan.example.org/api/v1 TOKEN=castellan_12_... python3 moderate.py airdrop "free mint"

With --undo it undoes afterwards what it did, to try it out. Only Python's standard library is needed.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE = os.environ.get("CASTELLAN", "http://127.0.0.1:4682/api/v1")
TOKEN = os.environ["TOKEN"]
ATTEMPTS = 8


def call(method, path, body=None):
    """Sends a request, again after a while if that may help, and returns the answer."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    data = None
    if method == "POST":
        # The same key at every attempt, so that nothing is done twice.
        headers["Idempotency-Key"] = str(uuid.uuid4())
        headers["Content-Type"] = "application/json"
        data = json.dumps(body or {}).encode()
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            answer = error.read().decode(errors="replace")
            if error.code not in (409, 429, 502, 503) or attempt == ATTEMPTS:
                raise SystemExit(f"{method} {path}: {error.code} {answer}")
            if error.code == 409 and '"already_answered"' in answer:
                return None
            time.sleep(int(error.headers.get("Retry-After", 2**attempt)))
        except (OSError, http.client.HTTPException) as error:
            if attempt == ATTEMPTS:
                raise SystemExit(f"{method} {path}: {error}")
            time.sleep(2**attempt)


def open_reviews():
    """Every open review, oldest first."""
    cursor = ""
    while cursor is not None:
        page = call("GET", "/reviews?limit=100" + (f"&cursor={cursor}" if cursor else ""))
        yield from page["reviews"]
        cursor = page.get("next")


def main(arguments):
    words = [word.lower() for word in arguments if word != "--undo"]
    done = []
    for review in list(open_reviews()):
        text = (review["text"] or "").lower()
        if review["castHash"] is None or not any(word in text for word in words):
            continue
        answer = call("POST", f"/reviews/{review['number']}/decision", {"decision": "hide"})
        for case in answer["cases"] if answer else []:
            print(f"{review['number']}: {case['number']} {case['action']} {case['state']}")
            done.append(case)
    if "--undo" in arguments:
        for case in done:
            path = f"/channels/{case['channel']}/cases/{case['number']}/undo"
            for undone in call("POST", path, {"reason": "trying it out"})["cases"]:
                print(f"{case['number']}: undone by {undone['number']}")


if __name__ == "__main__":
    main(sys.argv[1:])
