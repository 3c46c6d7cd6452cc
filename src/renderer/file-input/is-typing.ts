/** Whether a key, paste or drop event targets a text field; `data-typing` marks fields in a shadow root. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([readonly]), textarea, [contenteditable], [data-typing]') !== null;
