/**
 * Bindings to the Windows functions that list windows and monitors, called in this process. Inside `inPhysicalPixels`
 * lengths are physical pixels, whatever DPI awareness the host process declares. No call waits for another program.
 */
import type { DataType, FieldType } from 'ffi-rs';
import { windowsProgram } from '../../../base/node/run-program.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';

/** HWND as a number; 0: no window. */
export type WindowHandle = number;

export interface MonitorInfo {
  /** The name of its driver, mostly `Generic PnP Monitor`; empty where Windows does not tell it. */
  readonly name: string;
  readonly area: Area;
  readonly isPrimary: boolean;
  /** Dots per inch that programs should draw with; 96 is a scale of 1. */
  readonly dpi: number;
}

/** Windows may close during these calls: a closed one is invisible, without text and without an area. */
export interface DesktopCalls {
  /** Calls made within `read` return physical pixels. */
  inPhysicalPixels<T>(read: () => T): T;
  /** The frontmost of all top-level windows, visible or not. */
  frontmost(): WindowHandle;
  /** The next window behind it; 0 also where it has closed. */
  behind(window: WindowHandle): WindowHandle;
  exists(window: WindowHandle): boolean;
  /** The foreground window, or 0. */
  active(): WindowHandle;
  /** The root owner, e.g. the window that a dialog belongs to; the window itself where it has no owner. */
  owner(window: WindowHandle): WindowHandle;
  isVisible(window: WindowHandle): boolean;
  isMinimized(window: WindowHandle): boolean;
  /** Hidden by the system although visible, e.g. on another virtual desktop. */
  isCloaked(window: WindowHandle): boolean;
  /** GWL_EXSTYLE. */
  extendedStyle(window: WindowHandle): number;
  className(window: WindowHandle): string;
  title(window: WindowHandle): string;
  /** The file name of its program; empty where Windows does not report it. */
  program(window: WindowHandle): string;
  /** Without the invisible resize border; null where only `rectangle` is known. */
  frame(window: WindowHandle): Area | null;
  rectangle(window: WindowHandle): Area | null;
  monitors(): readonly MonitorInfo[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const NEXT = 2;
const ROOT_OWNER = 3;
const EXTENDED_STYLE = -20;
const EXTENDED_FRAME_BOUNDS = 9;
const CLOAKED = 14;
/** Handles of both awareness contexts, the newer first: Windows 10 before 1703 supports only the second. */
const PER_MONITOR_AWARE = [-4, -3] as const;
const QUERY_LIMITED_INFORMATION = 0x1000;
const TEXT_LENGTH = 1_024;
const ATTACHED_TO_DESKTOP = 1;
const PRIMARY_MONITOR = 1;
/** Sizes in bytes and field offsets of structures; they are the same on all 64-bit versions of Windows. */
const DISPLAY_DEVICE = { bytes: 840, name: 4, text: 68, flags: 324, nameBytes: 64, textBytes: 256 } as const;
const DEVICE_MODE = { bytes: 220, size: 68, x: 76, y: 80 } as const;
const MONITOR_INFO = { bytes: 40, area: 4, flags: 36 } as const;
const CURRENT_SETTINGS = 0xffff_ffff;
const PLAIN_DPI = 96;

/** Rejects where the native module or a library of Windows is missing; a call throws where its function is. */
export const openDesktopCalls = async (environment: Environment): Promise<DesktopCalls> => {
  // Loaded only by callers that list windows.
  const { default: ffi } = await import('ffi-rs');
  const { I32, U32, I64, U8Array } = ffi.DataType;
  const opened = new Set<string>();
  const bind = (library: string, funcName: string, paramsType: FieldType[], retType: DataType = I32) => {
    if (!opened.has(library)) {
      // By full path, because a bare name may resolve to another folder.
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

  /** The monitors that graphics card `adapter` shows on the desktop; empty: no monitor, null: no such card. */
  const monitorsOf = (adapter: number): readonly MonitorInfo[] | null => {
    const card = displayDevice();
    if (enumAdapters(0, adapter, card, 0) === 0) return null;
    if ((card.readUInt32LE(DISPLAY_DEVICE.flags) & ATTACHED_TO_DESKTOP) === 0) return [];
    const name = card.subarray(DISPLAY_DEVICE.name, DISPLAY_DEVICE.name + DISPLAY_DEVICE.nameBytes);
    const mode = Buffer.alloc(DEVICE_MODE.bytes);
    mode.writeUInt16LE(DEVICE_MODE.bytes, DEVICE_MODE.size);
    if (enumSettings(name, CURRENT_SETTINGS, mode, 0) === 0) return [];
    // A structure of two 32-bit numbers is passed as one 64-bit number.
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
    inPhysicalPixels(read) {
      const before = PER_MONITOR_AWARE.reduce((found, context) => (found === 0 ? setAwareness(context) : found), 0);
      try {
        return read();
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
      const found: MonitorInfo[] = [];
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

/** Reads a RECT; null: it is empty. */
const areaIn = (from: Buffer, at: number): Area | null => {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((side) => from.readInt32LE(at + side)) as Sides;
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
};

type Sides = [left: number, top: number, right: number, bottom: number];
