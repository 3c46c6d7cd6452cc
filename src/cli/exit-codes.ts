/** The exit codes of the process. Scripts rely on them: codes are only ever added. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'success'],
  [EXIT.failed, 'at least one error; each is reported as a sentence, or a line of JSON'],
  [EXIT.usage, 'invalid command line; nothing was done'],
  [EXIT.interrupted, 'stopped by Ctrl+C; the data sent so far is kept'],
];
