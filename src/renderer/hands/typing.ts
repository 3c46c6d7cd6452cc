/** Whether a key, a paste or a drop belongs to a field in which the person is typing. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([readonly]), textarea, [contenteditable]') !== null;
