/**
 * The functions of Windows that tell of its windows and monitors, called in this process. Promise: lengths are physical pixels
 * inside `inPhysicalPixels`, whatever the program that runs this says of itself. None of them waits for another program.
 */
import type { DataType, FieldType } from 'ffi-rs';
import { windowsProgram } from '../../../base/node/run-program.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';

/** HWND as a number; 0: none. */
export type WindowHandle = number;

export interface MonitorFacts {
  /** Of its maker, such as `DELL U2720Q`; empty where Windows does not know it. */
  readonly name: string;
  readonly area: Area;
  readonly isPrimary: boolean;
  /** Dots per inch that programs are to draw with; 96 is a scale of 1. */
  readonly dpi: number;
}

/** Handles may go while they are looked at: what is gone is invisible, without words and without an area. */
export interface DesktopCalls {
  /** What is asked within `look` is answered in physical pixels. */
  inPhysicalPixels<T>(look: () => T): T;
  /** The frontmost of all top-level windows, seen or not. */
  frontmost(): WindowHandle;
  /** The next one behind it; 0 also where it is gone. */
  behind(window: WindowHandle): WindowHandle;
  exists(window: WindowHandle): boolean;
  /** The one that the person works with, or 0. */
  active(): WindowHandle;
  /** The window that owns it, over all steps, such as the one that a dialog belongs to; itself where it has no owner. */
  owner(window: WindowHandle): WindowHandle;
  isVisible(window: WindowHandle): boolean;
  isMinimized(window: WindowHandle): boolean;
  /** Hidden by the system although visible, such as one of another virtual desktop. */
  isCloaked(window: WindowHandle): boolean;
  /** GWL_EXSTYLE. */
  extendedStyle(window: WindowHandle): number;
  className(window: WindowHandle): string;
  title(window: WindowHandle): string;
  /** The file name of its program; empty where Windows does not tell it. */
  program(window: WindowHandle): string;
  /** Without the invisible border that is there to be grasped; null where only `rectangle` is known. */
  frame(window: WindowHandle): Area | null;
  rectangle(window: WindowHandle): Area | null;
  monitors(): readonly MonitorFacts[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const NEXT = 2;
const ROOT_OWNER = 3;
const EXTENDED_STYLE = -20;
const EXTENDED_FRAME_BOUNDS = 9;
const CLOAKED = 14;
/** Handles of the two ways, the newer one first: Windows 10 before 1703 has only the other. */
const PER_MONITOR_AWARE = [-4, -3] as const;
const QUERY_LIMITED_INFORMATION = 0x1000;
const TEXT_LENGTH = 1_024;
const ATTACHED_TO_DESKTOP = 1;
const PRIMARY_MONITOR = 1;
/** Bytes, and places of fields, of structures that no Windows of 64 bits lays out differently. */
const DISPLAY_DEVICE = { bytes: 840, name: 4, text: 68, flags: 324, nameBytes: 64, textBytes: 256 } as const;
const DEVICE_MODE = { bytes: 220, size: 68, x: 76, y: 80 } as const;
const MONITOR_INFO = { bytes: 40, area: 4, flags: 36 } as const;
const CURRENT_SETTINGS = 0xffff_ffff;
const PLAIN_DPI = 96;

/** Rejects where Windows has not one of the functions, or the part of the app that calls them is missing. */
export const openDesktopCalls = async (environment: Environment): Promise<DesktopCalls> => {
  // Only who asks for windows pays for it.
  const { default: ffi } = await import('ffi-rs');
  const { I32, U32, I64, U8Array } = ffi.DataType;
  const opened = new Set<string>();
  const bind = (library: string, funcName: string, paramsType: FieldType[], retType: DataType = I32) => {
    if (!opened.has(library)) {
      // By its full path: a name alone may be found in another folder.
      ffi.open({ library, path: windowsProgram(`${library}.dll`, environment) });
      opened.add(library);
    }
    return (...paramsValue: (number | Buffer)[]): number =>
      ffi.load({ library, funcName, retType, paramsType, paramsValue }) as number;
  };
  const user = (name: string, takes: FieldType[], answers?: DataType) => bind('user32', name, takes, answers);
  const kernel = (name: string, takes: FieldType[], answers?: DataType) => bind('kernel32', name, takes, answers);

  const setAwareness = user('SetThreadDpiAwarenessContext', [I64], I64);
  const getTopWindow = user('GetTopWindow', [I64], I64);
  const getWindow = user('GetWindow', [I64, U32], I64);
  const isWindow = user('IsWindow', [I64]);
  const getForegroundWindow = user('GetForegroundWindow', [], I64);
  const getAncestor = user('GetAncestor', [I64, U32], I64);
  const isWindowVisible = user('IsWindowVisible', [I64]);
  const isIconic = user('IsIconic', [I64]);
  const getWindowLong = user('GetWindowLongW', [I64, I32]);
  const getClassName = user('GetClassNameW', [I64, U8Array, I32]);
  const getWindowText = user('GetWindowTextW', [I64, U8Array, I32]);
  const getWindowRect = user('GetWindowRect', [I64, U8Array]);
  const getProcessId = user('GetWindowThreadProcessId', [I64, U8Array], U32);
  const enumDisplayDevices = user('EnumDisplayDevicesW', [U8Array, U32, U8Array, U32]);
  const enumAdapters = user('EnumDisplayDevicesW', [I64, U32, U8Array, U32]);
  const enumSettings = user('EnumDisplaySettingsExW', [U8Array, U32, U8Array, U32]);
  const monitorFromPoint = user('MonitorFromPoint', [I64, U32], I64);
  const getMonitorInfo = user('GetMonitorInfoW', [I64, U8Array]);
  const getAttribute = bind('dwmapi', 'DwmGetWindowAttribute', [I64, U32, U8Array, U32]);
  const getDpi = bind('shcore', 'GetDpiForMonitor', [I64, I32, U8Array, U8Array]);
  const openProcess = kernel('OpenProcess', [U32, I32, U32], I64);
  const getImageName = kernel('QueryFullProcessImageNameW', [I64, U32, U8Array, U8Array]);
  const closeHandle = kernel('CloseHandle', [I64]);

  const textOf = (ask: (into: Buffer) => number): string => {
    const into = Buffer.alloc(TEXT_LENGTH * 2);
    return into.toString('utf16le', 0, ask(into) * 2);
  };

  const program = (window: WindowHandle): string => {
    const id = Buffer.alloc(4);
    getProcessId(window, id);
    const process = id.readUInt32LE() === 0 ? 0 : openProcess(QUERY_LIMITED_INFORMATION, 0, id.readUInt32LE());
    if (process === 0) return '';
    try {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(TEXT_LENGTH);
      const path = textOf((into) => (getImageName(process, 0, into, length) === 0 ? 0 : length.readUInt32LE()));
      return path.slice(path.lastIndexOf('\\') + 1);
    } finally {
      closeHandle(process);
    }
  };

  const dpiOf = (monitor: number): number => {
    const [x, y] = [Buffer.alloc(4), Buffer.alloc(4)];
    return getDpi(monitor, 0, x, y) === 0 ? x.readUInt32LE() : PLAIN_DPI;
  };

  /** What the graphics card `adapter` shows on the desktop; empty: nothing, null: there is no such card. */
  const monitorsOf = (adapter: number): readonly MonitorFacts[] | null => {
    const card = displayDevice();
    if (enumAdapters(0, adapter, card, 0) === 0) return null;
    if ((card.readUInt32LE(DISPLAY_DEVICE.flags) & ATTACHED_TO_DESKTOP) === 0) return [];
    const name = card.subarray(DISPLAY_DEVICE.name, DISPLAY_DEVICE.name + DISPLAY_DEVICE.nameBytes);
    const mode = Buffer.alloc(DEVICE_MODE.bytes);
    mode.writeUInt16LE(DEVICE_MODE.bytes, DEVICE_MODE.size);
    if (enumSettings(name, CURRENT_SETTINGS, mode, 0) === 0) return [];
    // A structure of two numbers is handed over as one of 64 bits.
    const point = mode.readInt32LE(DEVICE_MODE.y) * 2 ** 32 + (mode.readInt32LE(DEVICE_MODE.x) >>> 0);
    const monitor = monitorFromPoint(point, 0);
    const info = Buffer.alloc(MONITOR_INFO.bytes);
    info.writeUInt32LE(MONITOR_INFO.bytes);
    if (monitor === 0 || getMonitorInfo(monitor, info) === 0) return [];
    const area = areaIn(info, MONITOR_INFO.area);
    if (area === null) return [];
    const screen = displayDevice();
    const isNamed = enumDisplayDevices(name, 0, screen, 0) !== 0;
    const isPrimary = (info.readUInt32LE(MONITOR_INFO.flags) & PRIMARY_MONITOR) !== 0;
    return [{ name: isNamed ? deviceText(screen) : '', area, isPrimary, dpi: dpiOf(monitor) }];
  };

  return {
    inPhysicalPixels(look) {
      const before = PER_MONITOR_AWARE.reduce((found, way) => (found === 0 ? setAwareness(way) : found), 0);
      try {
        return look();
      } finally {
        if (before !== 0) setAwareness(before);
      }
    },
    frontmost: () => getTopWindow(0),
    behind: (window) => getWindow(window, NEXT),
    exists: (window) => isWindow(window) !== 0,
    active: () => getForegroundWindow(),
    owner: (window) => getAncestor(window, ROOT_OWNER),
    isVisible: (window) => isWindowVisible(window) !== 0,
    isMinimized: (window) => isIconic(window) !== 0,
    isCloaked(window) {
      const why = Buffer.alloc(4);
      return getAttribute(window, CLOAKED, why, why.length) === 0 && why.readUInt32LE() !== 0;
    },
    extendedStyle: (window) => getWindowLong(window, EXTENDED_STYLE),
    className: (window) => textOf((into) => getClassName(window, into, TEXT_LENGTH)),
    title: (window) => textOf((into) => getWindowText(window, into, TEXT_LENGTH)),
    program,
    frame(window) {
      const sides = Buffer.alloc(16);
      return getAttribute(window, EXTENDED_FRAME_BOUNDS, sides, sides.length) === 0 ? areaIn(sides, 0) : null;
    },
    rectangle(window) {
      const sides = Buffer.alloc(16);
      return getWindowRect(window, sides) === 0 ? null : areaIn(sides, 0);
    },
    monitors() {
      const found: MonitorFacts[] = [];
      for (let adapter = 0; ; adapter++) {
        const shown = monitorsOf(adapter);
        if (shown === null) return found;
        found.push(...shown);
      }
    },
  };
};

const displayDevice = (): Buffer => {
  const device = Buffer.alloc(DISPLAY_DEVICE.bytes);
  device.writeUInt32LE(DISPLAY_DEVICE.bytes);
  return device;
};

const deviceText = (device: Buffer): string => {
  const text = device.toString('utf16le', DISPLAY_DEVICE.text, DISPLAY_DEVICE.text + DISPLAY_DEVICE.textBytes);
  return text.split('\0', 1)[0] ?? '';
};

/** RECT; null: it is empty. */
const areaIn = (from: Buffer, at: number): Area | null => {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((side) => from.readInt32LE(at + side)) as Sides;
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
};

type Sides = [left: number, top: number, right: number, bottom: number];
