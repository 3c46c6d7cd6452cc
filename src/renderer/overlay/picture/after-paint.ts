/** Calls back once the browser has painted the next frame, after 100 ms at the latest; in a hidden window at once. */

/** A hidden window renders no frames; its content is painted when it is shown. */
const PATIENCE_MS = 100;

/** Calls back once the next frame is painted. */
export const afterPaint = (then: () => void): void => {
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    then();
  };
  if (document.visibilityState === 'hidden') {
    finish();
    return;
  }
  setTimeout(finish, PATIENCE_MS);
  requestAnimationFrame(() => {
    // A message event runs after the current frame was produced.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      finish();
    };
    port2.postMessage(null);
  });
};
