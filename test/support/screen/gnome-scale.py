"""Lays the outputs of GNOME side by side, each at its scale: `gnome-scale.py SCALE...`."""
import sys
import dbus

config = dbus.Interface(
    dbus.SessionBus().get_object("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig"),
    "org.gnome.Mutter.DisplayConfig",
)
serial, monitors, _, properties = config.GetCurrentState()
# Without a layout in logical pixels a scale is whole.
logical, left = [], 0
for index, (scale, (identity, modes, _)) in enumerate(zip(map(float, sys.argv[1:]), monitors)):
    mode, width, _, _, _, scales, _ = modes[0]
    fitting = min(scales, key=lambda one: abs(one - scale))
    if abs(fitting - scale) > 0.02:
        sys.exit(f"{identity[0]} has the scales {[round(float(one), 3) for one in scales]}, not {scale}")
    logical.append((left, 0, fitting, dbus.UInt32(0), index == 0, [(identity[0], mode, dbus.Dictionary({}, signature="sv"))]))
    left += round(width / (fitting if int(properties.get("layout-mode", 2)) == 1 else 1))
config.ApplyMonitorsConfig(serial, dbus.UInt32(1), dbus.Array(logical, signature="(iiduba(ssa{sv}))"), dbus.Dictionary({}, signature="sv"))
