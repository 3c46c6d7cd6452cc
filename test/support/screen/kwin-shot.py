#!/usr/bin/python3
"""Prints a picture of all outputs by KWin itself: a line with width and height, then RGB. With the mouse pointer."""
import os
import sys
import threading

from gi.repository import Gio, GLib

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
reader, writer = os.pipe()
pixels = bytearray()


def read():
    while chunk := os.read(reader, 1 << 20):
        pixels.extend(chunk)


thread = threading.Thread(target=read)
thread.start()
descriptors = Gio.UnixFDList.new()
index = descriptors.append(writer)
os.close(writer)
options = {"native-resolution": GLib.Variant("b", True), "include-cursor": GLib.Variant("b", True)}
answer, _ = bus.call_with_unix_fd_list_sync(
    "org.kde.KWin", "/org/kde/KWin/ScreenShot2", "org.kde.KWin.ScreenShot2", "CaptureWorkspace",
    GLib.Variant("(a{sv}h)", (options, index)), None, 0, 20000, descriptors)
del descriptors, _
thread.join()
picture = answer.unpack()[0]
sys.stdout.buffer.write(b"%d %d\n" % (picture["width"], picture["height"]))
for row in range(picture["height"]):
    start = row * picture["stride"]
    line = pixels[start:start + picture["width"] * 4]
    rgb = bytearray(picture["width"] * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
    sys.stdout.buffer.write(rgb)
