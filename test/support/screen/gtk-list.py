"""A GTK list of numbered rows in a window of the given height."""
import sys
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

rows, height = int(sys.argv[1]), int(sys.argv[2])
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(400, height)
scrolled = Gtk.ScrolledWindow()
scrolled.set_policy(Gtk.PolicyType.NEVER, Gtk.PolicyType.EXTERNAL)
box = Gtk.ListBox()
box.set_selection_mode(Gtk.SelectionMode.NONE)
for number in range(rows):
    label = Gtk.Label(label=f"Row {number}: {'abcdefg'[number % 7] * (number % 5 + 1)} {number * number}")
    label.set_xalign(0)
    box.add(label)
scrolled.add(box)
window.add(scrolled)
window.move(0, 0)
window.show_all()
window.resize(400, height)
_, natural = box.get_preferred_height()
print(natural, flush=True)
Gtk.main()
