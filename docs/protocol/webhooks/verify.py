import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def is_genuine(secret, timestamp, signature, body, now=None):
    """Whether a delivery comes from the platform and is fresh. `body` is bytes, before anything parses it."""
    if timestamp is None or signature is None:
        return False
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    now = int(time.time()) if now is None else now
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())
