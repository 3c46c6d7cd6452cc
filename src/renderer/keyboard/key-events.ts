/**
 * Shared checks for shortcuts, paste and drop: whether a key event is a given letter, which modifiers are held, whether
 * the key itself is held, and whether an event targets an editable field or a dialog. Also whether this is a Mac.
 */

export const IS_MAC = /mac/i.test(navigator.userAgent);

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Whether the modifier of shortcuts is held: Cmd on a Mac, whose text fields use Ctrl with a letter themselves (Ctrl+N:
 * next line), and Ctrl elsewhere.
 */
export const isCommandKey = ({ ctrlKey, metaKey }: Modifiers): boolean =>
  IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey;

/**
 * Whether Ctrl or Cmd is held, on every system: for arrow keys and clicks, and for the wheel, since a pinch on a
 * trackpad is reported as a wheel with Ctrl.
 */
export const isCtrlOrCommand = ({ ctrlKey, metaKey }: Modifiers): boolean => ctrlKey || metaKey;

/** Whether no modifier but Shift is held. */
export const isPlainKey = ({ ctrlKey, metaKey, altKey }: Modifiers): boolean => !(ctrlKey || metaKey || altKey);

/** Whether it is a given letter: by its character, or by its physical key on layouts without Latin letters. */
export const isLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;

/** Performs what a press asks for, but not again while its key is held: it would act on what appears meanwhile. */
export const oncePerPress =
  ({ repeat }: Pick<KeyboardEvent, 'repeat'>) =>
  (act: () => void): void => {
    if (!repeat) act();
  };

const FIELDS = 'input:not([readonly], [type=checkbox], [type=radio]), textarea, [contenteditable], [data-typing]';

/** Whether a key, paste or drop event targets a field that takes text; `data-typing` marks fields in a shadow root. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(FIELDS) !== null;

/** Keys and pastes in a dialog are not for the screen behind it. */
export const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog],[role=alertdialog]') !== null;
