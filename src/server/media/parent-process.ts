/**
 * Messages to the process that started this one: the parent of a Node child, or the app for a utility process of
 * Electron.
 */

/** `process.parentPort` of Electron's utility processes. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

interface Parent {
  send(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

const ofElectron = (port: ParentPort): Parent => ({
  send: (message) => port.postMessage(message),
  listen: (listener) => port.on('message', ({ data }) => listener(data)),
});

const ofNode: Parent = {
  send: (message) => void process.send?.(message),
  listen(listener) {
    process.on('message', listener);
    process.on('disconnect', () => process.exit());
  },
};

const { parentPort } = process as { readonly parentPort?: ParentPort };

export const parent: Parent = parentPort ? ofElectron(parentPort) : ofNode;
