import type { Socket } from 'node:net';

/**
 * Closes a connection with a reset. Where its own end has been sent already, because the other side has closed, the
 * system refuses the reset (EINVAL) and the socket stays open for ever; then it is closed plainly.
 */
export const resetConnection = (socket: Socket): void => {
  if (socket.destroyed) return;
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
};
