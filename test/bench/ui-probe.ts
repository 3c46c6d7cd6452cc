/** What is put into a page before its own scripts, to note when things are asked for, answered and painted. */

interface UiProbe {
  /** Times of `performance.now()`: of the last search that was sent, and of its answer. */
  sentAt: number;
  answeredAt: number;
  /** When a key was last pressed in a text field. */
  typedAt: number;
  /** Resolves when the frame that shows the first element of `selector` has been painted: immediately, or when it appears. */
  painted(selector: string): Promise<number>;
  /** The same for the frame after the next answer to a search. */
  answerPainted(): Promise<number>;
  /** Begins to note each frame; `frames` ends it and answers their times. */
  watchFrames(): void;
  frames(): number[];
}

declare global {
  interface Window {
    probe: UiProbe;
  }
}

/** Runs in the page. */
export const installProbe = (): void => {
  /** After the next frame is painted: a task queued in its animation callback runs after the paint. */
  const afterPaint = (): Promise<number> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(0);
      }),
    );
  const searches = new Set<number>();
  const waiting: (() => void)[] = [];
  let watched: number[] | null = null;

  const probe: UiProbe = {
    sentAt: 0,
    answeredAt: 0,
    typedAt: 0,
    painted: (selector) =>
      new Promise((resolve) => {
        const finish = () => void afterPaint().then(resolve);
        if (document.querySelector(selector)) return finish();
        const observer = new MutationObserver(() => {
          if (!document.querySelector(selector)) return;
          observer.disconnect();
          finish();
        });
        observer.observe(document, { childList: true, subtree: true });
      }),
    answerPainted: () =>
      new Promise((resolve) => {
        // The page has its turn with the answer first.
        waiting.push(() => setTimeout(() => void afterPaint().then(resolve)));
      }),
    watchFrames: () => {
      watched = [];
      const note = (time: number): void => {
        if (watched === null) return;
        watched.push(time);
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
    },
    frames: () => {
      const times = watched ?? [];
      watched = null;
      return times;
    },
  };
  window.probe = probe;

  addEventListener(
    'input',
    () => {
      probe.typedAt = performance.now();
    },
    true,
  );
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (typeof data === 'string' && data.includes('"library.search"')) {
      searches.add((JSON.parse(data) as { id: number }).id);
      probe.sentAt = performance.now();
    }
    send.call(this, data);
  };
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      this.addEventListener('message', ({ data }) => {
        const id = Number(/^\{"id":(\d+),/.exec(String(data).slice(0, 40))?.[1]);
        if (!searches.delete(id)) return;
        probe.answeredAt = performance.now();
        for (const go of waiting.splice(0)) go();
      });
    }
  };
};
