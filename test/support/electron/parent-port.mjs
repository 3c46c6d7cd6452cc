// Preloaded into a child of the double: provides what Electron gives a utility process. It exits with its parent.
const send = process.send.bind(process);
process.send = undefined;
process.parentPort = {
  on: (_, listener) => void process.on('message', (data) => listener({ data, ports: [] })),
  postMessage: (message) => void send(message),
};
process.on('disconnect', () => process.exit());
