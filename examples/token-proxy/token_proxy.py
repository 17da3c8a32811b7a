"""The three calls of the token proxy with Python's standard library: session, resume, logout."""

import hmac
import json
import os
import re
import secrets
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def setting(name):
    return os.environ.get(name) or sys.exit(f"Set {name}: see docs/token-proxy-servers.md.")


UPSTREAM = setting("NATTER_UPSTREAM_URL").rstrip("/")
WEBSOCKET = os.environ.get("NATTER_WEBSOCKET_URL") or re.sub("^http", "ws", UPSTREAM) + "/ws"
TOKEN = setting("NATTER_CONNECTOR_TOKEN")
HOST = setting("NATTER_CONNECTOR_HOST")
ORIGINS = set(setting("NATTER_ALLOWED_ORIGINS").split(","))
TICKET_SECONDS = 600
MAX_BODY_BYTES = 16384

# Sessions by id, in this process: several processes need a store that they share.
sessions: dict[str, dict] = {}
lock = threading.Lock()


class Refusal(Exception):
    def __init__(self, status, code, message, retryable=False):
        super().__init__(message)
        self.status, self.code, self.retryable = status, code, retryable


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the connector token to a host that nobody has configured."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def call_upstream(path, headers, body, correlation_id):
    request = urllib.request.Request(
        UPSTREAM + path,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "X-Correlation-Id": correlation_id, **headers},
    )
    try:
        with opener.open(request, timeout=6) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        if error.code == 429:
            raise Refusal(429, "UPSTREAM_RATE_LIMITED", "The chat service is busy.", True)
        if error.code >= 500:
            raise Refusal(503, "UPSTREAM_UNAVAILABLE", "The chat service fails.", True)
        raise Refusal(502, "CONNECTOR_REJECTED", "Check the connector's token and registered host.")
    except OSError:
        raise Refusal(503, "UPSTREAM_UNAVAILABLE", "The chat service cannot be reached.", True)
    except ValueError:
        raise Refusal(502, "UPSTREAM_INVALID_RESPONSE", "Check NATTER_UPSTREAM_URL.")


def read_text(answer, name):
    value = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(value, str) or not value:
        raise Refusal(502, "UPSTREAM_INVALID_RESPONSE", "Check NATTER_UPSTREAM_URL.")
    return value


def answer_session(session):
    with lock:
        session["ticket_ends"] = time.time() + TICKET_SECONDS
    left = session["token_ends"] - time.time()
    return {
        "session_id": session["id"],
        "access_token": session["access_token"],
        "expires_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(session["token_ends"])),
        "expires_in_seconds": max(0, int(left)),
        "websocket_url": WEBSOCKET,
        "resume_by": "ticket",
        "resume_ticket": session["ticket"],
        "offers": [],
    }


def start_session(body, origin, correlation_id):
    granted = call_upstream(
        "/api/v1/access-token", {"X-Token": TOKEN, "X-Host": HOST}, {}, correlation_id
    )
    wanted = {
        "platform": body.get("platform", "web"),
        "streaming_enabled": body.get("streaming", True),
    }
    if "device_type" in body:
        wanted["device_type"] = body["device_type"]
    access_token = read_text(granted, "access_token")
    bearer = {"Authorization": "Bearer " + access_token}
    created = call_upstream("/api/v1/sessions", bearer, wanted, correlation_id)
    session_id = read_text(created, "session_id")
    now = time.time()
    session = {
        "id": session_id,
        "access_token": access_token,
        "token_ends": now + int(granted.get("expires_in") or 3600),
        "origin": origin,
        "ticket": f"{session_id}.{secrets.token_urlsafe(32)}",
        "ticket_ends": now + TICKET_SECONDS,
    }
    with lock:
        for old in [key for key, other in sessions.items() if other["ticket_ends"] < now]:
            del sessions[old]
        sessions[session_id] = session
    return answer_session(session)


def open_ticket(body, origin):
    ticket = str(body.get("resume_ticket", ""))
    with lock:
        session = sessions.get(ticket.rpartition(".")[0])
    now = time.time()
    if (
        session is None
        or not hmac.compare_digest(session["ticket"].encode(), ticket.encode())
        or session["origin"] != origin
        or min(session["ticket_ends"], session["token_ends"]) < now
    ):
        raise Refusal(410, "RESUME_TICKET_INVALID", "Drop this ticket and start a new session.")
    return session


def log_out(body, origin, _):
    session = open_ticket(body, origin)
    with lock:
        sessions.pop(session["id"], None)
    return {"status": "logged_out"}


ROUTES = {
    "/v1/session": start_session,
    "/v1/resume": lambda body, origin, _: answer_session(open_ticket(body, origin)),
    "/v1/logout": log_out,
    # Asked when a socket is refused: a widget that was connected before starts another session.
    "/v1/probe": lambda *_: {"handshake": "unknown"},
}


class Handler(BaseHTTPRequestHandler):
    timeout = 15

    def answer(self, status, body=None, headers=None):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        common = {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": str(len(content)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Vary": "Origin",
        }
        origin = self.headers.get("Origin")
        if origin in ORIGINS:
            common["Access-Control-Allow-Origin"] = origin
            common["Access-Control-Allow-Credentials"] = "true"
        for name, value in {**common, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        if self.path == "/v1/health":
            self.answer(200, {"status": "ok"})
        else:
            self.answer(404, {"code": "NOT_FOUND", "message": "No such path.", "retryable": False})

    def do_OPTIONS(self):
        allowed = {
            "Access-Control-Allow-Methods": "POST",
            "Access-Control-Allow-Headers": "Content-Type, X-Correlation-Id",
            "Access-Control-Max-Age": "600",
        }
        self.answer(204 if self.headers.get("Origin") in ORIGINS else 403, None, allowed)

    def read_body(self):
        if self.headers.get_content_type() != "application/json":
            raise Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send application/json.")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            raise Refusal(413, "PAYLOAD_TOO_LARGE", f"Send at most {MAX_BODY_BYTES} bytes.")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise Refusal(400, "INVALID_REQUEST", "The body has to be a JSON object.")
        return body

    def do_POST(self):
        correlation_id = str(uuid.uuid4())
        try:
            origin = self.headers.get("Origin")
            if origin not in ORIGINS:
                raise Refusal(403, "ORIGIN_NOT_ALLOWED", "This page may not use the chat.")
            route = ROUTES.get(self.path)
            if route is None:
                raise Refusal(404, "NOT_FOUND", "No such path.")
            self.answer(200, route(self.read_body(), origin, correlation_id))
        except Refusal as refusal:
            self.refuse(refusal, correlation_id)

    def refuse(self, refusal, correlation_id):
        self.close_connection = True
        body = {
            "code": refusal.code,
            "message": str(refusal),
            "retryable": refusal.retryable,
            "correlation_id": correlation_id,
        }
        self.answer(refusal.status, body, {"X-Correlation-Id": correlation_id})

    def log_message(self, *_):
        """No line for each request: the reverse proxy in front writes them."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8787"))), Handler).serve_forever()
