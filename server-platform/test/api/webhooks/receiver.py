"""A customer's receiver, with nothing but Python's standard library.

Arguments: certificate and key (PEM files), secret of the endpoint. Prints its port, then for each delivery one line of
JSON: whether it is genuine, the event id, the event type.
"""

import hashlib
import hmac
import json
import re
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

CERTIFICATE, KEY, SECRET = sys.argv[1:4]
TOLERANCE_SECONDS = 300


def is_genuine(headers, body):
    timestamp = headers.get("X-Webhook-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(int(time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("X-Webhook-Signature", ""))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        event = json.loads(body)
        line = {
            "genuine": genuine,
            "event_id": event["event_id"],
            "event_type": event["event_type"],
            "name": event["alert"]["name"],
        }
        print(json.dumps(line), flush=True)

    def log_message(self, *arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
