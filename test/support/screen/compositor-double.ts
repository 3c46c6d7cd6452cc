/** A Wayland compositor that only tells which protocols and outputs it has. */

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface DoubleOutput {
  readonly name: string;
  readonly mode: readonly [width: number, height: number];
  /** As of wl_output; 1: turned by 90 degrees. */
  readonly transform?: number;
  readonly logical: readonly [x: number, y: number, width: number, height: number];
}

export interface CompositorDouble {
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value | 0, index * 4);
  return bytes;
};
const text = (value: string): Buffer => {
  const length = Buffer.byteLength(value) + 1;
  return Buffer.concat([words(length), Buffer.from(value.padEnd(Math.ceil(length / 4) * 4, '\0'))]);
};
const event = (object: number, number: number, ...body: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(body);
  return Buffer.concat([words(object, ((8 + all.length) << 16) | number), all]);
};

/** In this folder. `protocols`: beside those of outputs. */
export const openCompositorDouble = async (
  folder: string,
  outputs: readonly DoubleOutput[],
  protocols: readonly string[] = [],
): Promise<CompositorDouble> => {
  const globals = [...protocols, 'zxdg_output_manager_v1', ...outputs.map(() => 'wl_output')];
  const first = protocols.length + 1;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let received = Buffer.alloc(0);
    /** What each object of the client is; an output by its index. */
    const objects = new Map<number, 'registry' | 'manager' | number>();
    const hear = (object: number, request: number, body: Buffer): void => {
      const id = body.readUInt32LE(0);
      if (object === 1 && request === 0) socket.write(event(id, 0, words(0)));
      else if (object === 1) {
        objects.set(id, 'registry');
        for (const [index, name] of globals.entries()) socket.write(event(id, 0, words(index), text(name), words(4)));
      } else if (objects.get(object) === 'registry') {
        const bound = body.readUInt32LE(body.length - 4);
        objects.set(bound, id < first ? 'manager' : id - first);
        const output = outputs[id - first];
        if (output) tellOutput(bound, output);
      } else if (objects.get(object) === 'manager') {
        const output = outputs[objects.get(body.readUInt32LE(4)) as number];
        if (output) {
          const [x, y, width, height] = output.logical;
          socket.write(Buffer.concat([event(id, 0, words(x, y)), event(id, 1, words(width, height))]));
        }
      }
    };
    const tellOutput = (id: number, { name, mode, transform = 0 }: DoubleOutput): void => {
      socket.write(event(id, 0, words(0, 0, 300, 200, 0), text('Maker'), text('Model'), words(transform)));
      // A mode that the output could have, and the one it has.
      socket.write(event(id, 1, words(0, 640, 480, 60_000)));
      socket.write(event(id, 1, words(1, ...mode, 60_000)));
      socket.write(event(id, 4, text(name)));
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 8 && received.length >= received.readUInt16LE(6)) {
        const size = received.readUInt16LE(6);
        hear(received.readUInt32LE(0), received.readUInt16LE(4), received.subarray(8, size));
        received = received.subarray(size);
      }
    });
  });
  const path = join(folder, 'wayland-9');
  server.listen(path);
  await once(server, 'listening');
  return {
    environment: { WAYLAND_DISPLAY: path, XDG_SESSION_TYPE: 'wayland', XDG_RUNTIME_DIR: folder },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
