#!/usr/bin/python3
"""kwin-keys.py CTRL+SHIFT+y...: presses keys on this KWin by its protocol of remote controls (org_kde_kwin_fake_input)."""
import os
import socket
import struct
import sys
import time

FAKE_INPUT = "org_kde_kwin_fake_input"
CODES = {"CTRL": 29, "SHIFT": 42, "ALT": 56, "META": 125, "ENTER": 28, "ESC": 1, "PRINT": 99}
for row, first in (("1234567890", 2), ("qwertyuiop", 16), ("asdfghjkl", 30), ("zxcvbnm", 44)):
    for place, letter in enumerate(row):
        CODES[letter] = first + place

connection = socket.socket(socket.AF_UNIX)
connection.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
connection.settimeout(30)


def string(text):
    data = text.encode() + b"\0"
    return struct.pack("<I", len(data)) + data + b"\0" * (-len(data) % 4)


def send(target, request, body=b""):
    connection.sendall(struct.pack("<IHH", target, request, 8 + len(body)) + body)


def answers(until):
    """Events up to that of the object `until`."""
    received = b""
    while True:
        while len(received) >= 8:
            target, event, size = struct.unpack("<IHH", received[:8])
            if len(received) < size:
                break
            body, received = received[8:size], received[size:]
            yield target, event, body
            if target == until:
                return
        received += connection.recv(65536)


REGISTRY, SYNC, INPUT, LAST = 2, 3, 4, 5
send(1, 1, struct.pack("<I", REGISTRY))
send(1, 0, struct.pack("<I", SYNC))
for target, event, body in answers(SYNC):
    if target == REGISTRY and event == 0 and FAKE_INPUT.encode() in body:
        send(REGISTRY, 0, body[:4] + string(FAKE_INPUT) + struct.pack("<II", 4, INPUT))
        send(INPUT, 0, string("test") + string("test"))
for keys in sys.argv[1:]:
    codes = [CODES[key] for key in keys.split("+")]
    for code in codes:
        send(INPUT, 10, struct.pack("<II", code, 1))
        time.sleep(0.02)
    for code in reversed(codes):
        send(INPUT, 10, struct.pack("<II", code, 0))
        time.sleep(0.02)
send(1, 0, struct.pack("<I", LAST))
for _ in answers(LAST):
    pass
