/** Peer: tus-js-client sending one file in 2 MiB chunks, as our parts are. */
import { createReadStream, statSync } from 'node:fs';
import { Upload } from 'tus-js-client';

const [, , endpoint = '', file = ''] = process.argv;
new Upload(createReadStream(file), {
  endpoint,
  chunkSize: 2 * 1024 * 1024,
  uploadSize: statSync(file).size,
  metadata: { filename: 'bench.mp4' },
  onError: (error) => {
    throw error;
  },
  onSuccess: () => console.log(JSON.stringify({ done: true })),
}).start();
