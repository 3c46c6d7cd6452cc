/**
 * Opens frameless windows and keeps them open: `shown-windows.ts FILE`, a list of `ShownWindow` as JSON, from back to
 * front; the frontmost one gets the focus. Then prints the title of the window at each point of `AT`, a list of `[x,
 * y]`, and the colour of the frontmost window (0xBBGGRR).
 */
import { readFileSync } from 'node:fs';
import ffi from 'ffi-rs';

export interface ShownWindow {
  readonly title: string;
  readonly area: readonly [x: number, y: number, width: number, height: number];
  readonly state?: 'hidden' | 'minimized' | 'tool' | 'transparent';
  readonly colour?: 'black' | 'grey' | 'white';
}

const { I32, U32, I64, U8Array } = ffi.DataType;
for (const library of ['user32', 'gdi32']) ffi.open({ library, path: `${library}.dll` });
type Type = typeof I32 | typeof U32 | typeof I64 | typeof U8Array;
const call =
  (funcName: string, paramsType: Type[], retType: Type = I64, library = 'user32') =>
  (...paramsValue: (number | Buffer)[]): number =>
    ffi.load({ library, funcName, retType, paramsType, paramsValue }) as number;

const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
const createWindow = call('CreateWindowExW', [U32, U8Array, U8Array, U32, I32, I32, I32, I32, I64, I64, I64, I64]);
const showWindow = call('ShowWindow', [I64, I32], I32);
const setForeground = call('SetForegroundWindow', [I64], I32);
const peekMessage = call('PeekMessageW', [U8Array, I64, U32, U32, U32], I32);
const dispatchMessage = call('DispatchMessageW', [U8Array]);
const windowFromPoint = call('WindowFromPoint', [I64]);
const getText = call('GetWindowTextW', [I64, U8Array, I32], I32);
const getContext = call('GetDC', [I64]);
const getPixel = call('GetPixel', [I64, I32, I32], U32, 'gdi32');
const setAwareness = call('SetThreadDpiAwarenessContext', [I64]);

const POPUP = 0x8000_0000;
const VISIBLE = 0x1000_0000;
const STYLES = { hidden: 0, minimized: 0, tool: 0x80, transparent: 0x20 } as const;
/** SS_BLACKRECT and the two after it; with SS_NOTIFY, without which clicks pass through. */
const COLOURS = { black: 0x104, grey: 0x105, white: 0x106 } as const;
const MINIMIZE = 6;
const REMOVE = 1;

const text = (window: number): string => {
  const into = Buffer.alloc(512);
  return into.toString('utf16le', 0, getText(window, into, into.length / 2) * 2);
};

const pump = (): void => {
  const message = Buffer.alloc(48);
  while (peekMessage(message, 0, 0, 0, REMOVE) !== 0) dispatchMessage(message);
};

// Exact positions at any scale.
setAwareness(-4);
const [file = ''] = process.argv.slice(2);
const handles = (JSON.parse(readFileSync(file, 'utf8')) as readonly ShownWindow[]).map(
  ({ title, area, state, colour = 'grey' }) => {
    const style = POPUP + (state === 'hidden' ? 0 : VISIBLE) + COLOURS[colour];
    const window = createWindow(state ? STYLES[state] : 0, wide('Static'), wide(title), style, ...area, 0, 0, 0, 0);
    if (window === 0) throw new Error(`There is no window ${title}.`);
    if (state === 'minimized') showWindow(window, MINIMIZE);
    pump();
    return window;
  },
);
const front = handles.at(-1) ?? 0;
setForeground(front);
pump();
const points = JSON.parse(process.env['AT'] ?? '[]') as readonly (readonly [number, number])[];
const found = points.map(([x, y]) => text(windowFromPoint(y * 2 ** 32 + x)));
process.stdout.write(`${JSON.stringify({ found, colour: getPixel(getContext(front), 1, 1) })}\n`);
setInterval(pump, 20);
