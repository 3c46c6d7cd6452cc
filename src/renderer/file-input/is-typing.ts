/** Whether a key, a paste or a drop belongs to a field in which the person is typing; `data-typing` marks one in a shadow root. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([readonly]), textarea, [contenteditable], [data-typing]') !== null;
