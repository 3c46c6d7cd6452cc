/**
 * Shared checks for shortcuts, paste and drop: whether a key event is a given letter, and whether an event targets an
 * input or another editable field.
 */

/** Whether it is a given letter: by its character, or by its physical key on layouts without Latin letters. */
export const isLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;

/** Whether a key, paste or drop event targets an input; `data-typing` marks fields in a shadow root. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([readonly]), textarea, [contenteditable], [data-typing]') !== null;
