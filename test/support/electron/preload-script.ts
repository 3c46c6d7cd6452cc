/**
 * Runs a sandboxed preload as the first script of a page. The page reaches only what the preload exposes; the
 * connection to the app is removed from `window` before any script of the page runs.
 */

/** Bytes are sent as base64, everything else as JSON. */
const RUNTIME = `
const invoke = window.__electronInvoke;
delete window.__electronInvoke;
const listeners = new Map();
const pack = (value) => {
  if (!(value instanceof Uint8Array)) return value;
  let text = '';
  for (let at = 0; at < value.length; at += 32768) text += String.fromCharCode(...value.subarray(at, at + 32768));
  return { '~bytes': btoa(text) };
};
Object.defineProperty(window, '__electronEmit', {
  value: (channel, args) => { for (const hear of listeners.get(channel) ?? []) hear({}, ...args); },
});
const freeze = (api) => {
  for (const value of Object.values(api)) if (typeof value === 'object' && value !== null) freeze(value);
  return Object.freeze(api);
};
const electron = {
  contextBridge: {
    exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: freeze(api), enumerable: true }),
  },
  ipcRenderer: {
    invoke: async (channel, ...args) => {
      const reply = await invoke(channel, args.map(pack));
      if ('error' in reply) throw new Error("Error invoking remote method '" + channel + "': " + reply.error);
      return reply.value;
    },
    on: (channel, hear) => listeners.set(channel, [...(listeners.get(channel) ?? []), hear]),
    removeListener: (channel, hear) =>
      listeners.set(channel, (listeners.get(channel) ?? []).filter((other) => other !== hear)),
  },
  webUtils: { getPathForFile: (file) => window.electronPaths?.[file.name] ?? '' },
};
const require = (name) => {
  if (name === 'electron') return electron;
  throw new Error('A sandboxed preload cannot require ' + name);
};
`;

/** Wraps a preload bundle (CommonJS) so that it runs as a page's first script. */
export const preloadScript = (bundle: string): string =>
  `(() => {${RUNTIME}\n((require, module, exports) => {\n${bundle}\n})(require, { exports: {} }, {});\n})();`;

/** Reverses `pack`. */
export const unpack = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '~bytes' in value
    ? new Uint8Array(Buffer.from(String(value['~bytes']), 'base64'))
    : value;
