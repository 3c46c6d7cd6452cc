/** What a sandboxed preload sees, as a script that a page runs before its own: bindings of the page carry the IPC. */

/** Bytes cross the binding as base64, everything else as JSON. */
const RUNTIME = `
const listeners = new Map();
const pack = (value) => {
  if (!(value instanceof Uint8Array)) return value;
  let text = '';
  for (let at = 0; at < value.length; at += 32768) text += String.fromCharCode(...value.subarray(at, at + 32768));
  return { '~bytes': btoa(text) };
};
window.__shimEmit = (channel, args) => { for (const hear of listeners.get(channel) ?? []) hear({}, ...args); };
const electron = {
  contextBridge: {
    exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api), enumerable: true }),
  },
  ipcRenderer: {
    invoke: async (channel, ...args) => {
      const reply = await window.__shimInvoke(channel, args.map(pack));
      if ('error' in reply) throw new Error("Error invoking remote method '" + channel + "': " + reply.error);
      return reply.value;
    },
    on: (channel, hear) => listeners.set(channel, [...(listeners.get(channel) ?? []), hear]),
    removeListener: (channel, hear) =>
      listeners.set(channel, (listeners.get(channel) ?? []).filter((other) => other !== hear)),
  },
  webUtils: { getPathForFile: (file) => window.__shimPaths?.[file.name] ?? '' },
};
const require = (name) => {
  if (name === 'electron') return electron;
  throw new Error('A sandboxed preload cannot require ' + name);
};
`;

/** Wraps a preload bundle (CommonJS) so that it runs as a page's first script. */
export const preloadScript = (bundle: string): string =>
  `(() => {${RUNTIME}\n((require, module, exports) => {\n${bundle}\n})(require, { exports: {} }, {});\n})();`;

/** Turns what `pack` made back into bytes. */
export const unpack = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '~bytes' in value
    ? new Uint8Array(Buffer.from(String(value['~bytes']), 'base64'))
    : value;
