/** The exit codes of the process. Scripts rely on them: codes are only ever added. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'everything asked for was done'],
  [EXIT.failed, 'at least one thing failed; each has its sentence, or its line of JSON'],
  [EXIT.usage, 'the command line cannot be run as it is; nothing was done'],
  [EXIT.interrupted, 'stopped by Ctrl+C; what was sent is kept'],
];
