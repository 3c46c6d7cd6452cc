"""A GTK list in a window: `gtk-list.py KIND whole|part`. Prints its width and height, and the rows of what moves."""
import sys
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk

kind, is_whole = sys.argv[1], sys.argv[2] == "whole"
WIDTH, HEIGHT, ROWS, LATE_MS = 400, 500, 70, 80
WORDS = "river stone copper lantern window harbour violin meadow signal winter paper engine".split()
settings = Gtk.Settings.get_default()
settings.set_property("gtk-enable-animations", kind == "spinner")
settings.set_property("gtk-application-prefer-dark-theme", kind == "dark")
settings.set_property("gtk-overlay-scrolling", False)

window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(WIDTH, HEIGHT)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(column)
scrolled = Gtk.ScrolledWindow()
scrolled.set_policy(
    Gtk.PolicyType.NEVER, Gtk.PolicyType.ALWAYS if kind == "scroll-bar" else Gtk.PolicyType.EXTERNAL
)


def text_of(number):
    count = number * 7 % 40 if kind == "heights" else number % 5 + 1
    return f"Row {number}: {' '.join(WORDS[(number * 5 + n * n) % len(WORDS)] for n in range(count))} {number * number}"


def label_of(text):
    label = Gtk.Label(label=text)
    label.set_xalign(0)
    label.set_line_wrap(True)
    return label


def late_row(number):
    """A row of a known height whose text comes after it is first drawn."""
    label = label_of(text_of(number) if is_whole or number < 12 else "")
    label.set_size_request(-1, 40)

    def drawn(widget, _):
        widget.disconnect(handler)
        GLib.timeout_add(LATE_MS, label.set_text, text_of(number))

    if not is_whole and number >= 12:
        handler = label.connect("draw", drawn)
    return label


spinner = Gtk.Spinner()


def row_of(number):
    if kind == "late":
        return late_row(number)
    if kind == "same":
        return label_of("The same row")
    if kind == "spinner" and number == 9:
        spinner.start()
        return spinner
    return label_of(text_of(number))


def list_box():
    box = Gtk.ListBox()
    box.set_selection_mode(Gtk.SelectionMode.NONE)
    if kind == "lines":
        box.set_header_func(lambda row, before: row.set_header(Gtk.Separator() if before else None))
    grown = 10 if is_whole else 0
    for number in range(ROWS + 3 * grown if kind == "grows" else ROWS):
        box.add(row_of(number))
    return box


def grow(adjustment, box):
    count = len(box.get_children())
    if adjustment.get_value() + adjustment.get_page_size() < adjustment.get_upper() - 5 or count >= ROWS + 30:
        return
    for number in range(count, count + 10):
        box.add(row_of(number))
    box.show_all()


def tree_view():
    store = Gtk.ListStore(int, str, int)
    for number in range(ROWS):
        store.append([number, text_of(number), number**3])
    view = Gtk.TreeView(model=store)
    view.get_selection().set_mode(Gtk.SelectionMode.NONE)
    for at, title in enumerate(["Number", "Words", "Cube"]):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=at))
    return view


content = tree_view() if kind == "tree" else list_box()
if kind == "grows" and not is_whole:
    scrolled.get_vadjustment().connect("value-changed", lambda changed: GLib.timeout_add(LATE_MS, grow, changed, content))
scrolled.add(content)
if kind in ("header", "spinner"):
    column.pack_start(Gtk.Label(label="A header that stays", margin=9), False, False, 0)
column.pack_start(scrolled, True, True, 0)
if kind == "header":
    column.pack_start(Gtk.Label(label="70 rows, 3 chosen", margin=6), False, False, 0)


def answer(height):
    moving = ""
    if kind == "spinner":
        row = spinner.get_parent()
        _, top = row.translate_coordinates(window, 0, 0)
        moving = f" {top} {top + row.get_allocated_height()}"
    print(f"{WIDTH} {height}{moving}", flush=True)


def laid_out():
    adjustment = scrolled.get_vadjustment()
    height = round(HEIGHT - adjustment.get_page_size() + adjustment.get_upper()) if is_whole else HEIGHT
    window.resize(WIDTH, height)
    GLib.idle_add(answer, height, priority=GLib.PRIORITY_LOW)


window.move(0, 0)
window.show_all()
window.resize(WIDTH, HEIGHT)
# After all rows are measured, which GTK does when it is idle.
GLib.idle_add(laid_out, priority=GLib.PRIORITY_LOW)
Gtk.main()
