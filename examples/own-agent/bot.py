"""A bot of your own behind an agent of the kind `webhook`, with Python's standard library: BOT_SECRET=… python3 bot.py"""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["BOT_SECRET"].encode()
TOLERANCE_SECONDS = 300


def is_genuine(timestamp, signature, body):
    """Whether a turn comes from the platform and is fresh. `body` is bytes, before anything parses it."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def say(text):
    return {"type": "text", "text": text}


def answer(turn):
    text, state = turn["text"], turn["state"]
    if turn["kind"] == "greeting":
        chips = {"type": "suggestions", "suggestions": [{"message_text": "Where is my parcel?"}]}
        return [say("Hello, I am Bo, an automated assistant."), chips]
    if re.search("person|human|someone", text, re.I):
        return [say("I will get you a colleague."), {"type": "handoff", "why": "asked for a person"}]
    if re.search(r"\b(bye|goodbye)\b", text, re.I):
        return [say("Goodbye!"), {"type": "end"}]
    if re.search("parcel", text, re.I):
        # What is kept here comes back with the next turn.
        asked = {"type": "state", "set": {"_asked": True}}
        return [{"type": "intent", "name": "parcel"}, asked, say("What is the number of your parcel?")]
    if state.get("_asked") and re.search(r"\d{4}", text):
        forget = {"type": "state", "set": {"_asked": None}}
        return [forget, say("Your parcel is on its way and arrives tomorrow.")]
    return [say("I only know about parcels. Shall I get you a colleague?")]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        timestamp = self.headers.get("X-Webhook-Timestamp", "")
        if not is_genuine(timestamp, self.headers.get("X-Webhook-Signature", ""), body):
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        actions = json.dumps({"actions": answer(json.loads(body))}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(actions)))
        self.end_headers()
        self.wfile.write(actions)

    def log_message(self, *_):
        """Keeps the log free of visitors' requests."""


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Handler).serve_forever()
