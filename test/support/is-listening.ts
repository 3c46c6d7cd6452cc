/** Whether a program listens at a socket: its file is there before the program accepts connections. */
import { createConnection } from 'node:net';

/** `socket`: its path. */
export const isListening = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = createConnection(socket);
    connection
      .once('error', () => resolve(false))
      .once('connect', () => {
        connection.destroy();
        resolve(true);
      });
  });
