/**
 * Maps key presses to commands for the region selection, such as moving, resizing, confirming or cancelling it. Other
 * keys are ignored.
 */

import type { CommandInput } from '../../../ipc/protocol/command-table.ts';
import { isCommandKey, isCtrlOrCommand, isLetter, isPlainKey } from '../../keyboard/key-events.ts';

export type CaptureAction = CommandInput<'capture.choose'>['way'];

export type SelectionCommand =
  | { readonly order: 'nudge' | 'stretch'; readonly dx: number; readonly dy: number }
  /** Targets the next window, or the previous one. */
  | { readonly order: 'window'; readonly step: 1 | -1 }
  | { readonly order: 'screen'; readonly number: number }
  | { readonly order: 'corner' | 'enter' | 'back' | 'cancel' | 'colour' | 'ruler' | 'last' | 'whole' }
  | { readonly order: 'finish'; readonly way: CaptureAction };

/** Also what is chosen beside the selection: `camera` is the next one for a recording. */
export type OverlayCommand = SelectionCommand | { readonly order: 'camera' };

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Pixels per arrow key with Ctrl. */
const STRIDE = 10;

const ACTION_KEYS = { c: 'copy', s: 'save', u: 'publish', e: 'edit' } as const;

export const selectionCommandOf = (event: KeyboardEvent): OverlayCommand | null => {
  const { key, shiftKey, altKey, repeat } = event;
  if (altKey) return null;
  const arrow = ARROWS[key];
  if (arrow) {
    const by = isCtrlOrCommand(event) ? STRIDE : 1;
    return { order: shiftKey ? 'stretch' : 'nudge', dx: arrow[0] * by, dy: arrow[1] * by };
  }
  if (key === 'Tab' && isPlainKey(event)) return { order: 'window', step: shiftKey ? -1 : 1 };
  // A repeating key, such as the hotkey itself, must neither confirm nor cancel.
  if (repeat || shiftKey) return null;
  if (isCommandKey(event)) {
    if (isLetter(event, 'a')) return { order: 'whole' };
    const letter = (Object.keys(ACTION_KEYS) as (keyof typeof ACTION_KEYS)[]).find((known) => isLetter(event, known));
    return letter ? { order: 'finish', way: ACTION_KEYS[letter] } : null;
  }
  if (!isPlainKey(event)) return null;
  if (key === 'Enter') return { order: 'enter' };
  if (key === 'Escape') return { order: 'back' };
  if (key === ' ') return { order: 'corner' };
  if (/^[1-9]$/.test(key)) return { order: 'screen', number: Number(key) };
  if (isLetter(event, 'c')) return { order: 'colour' };
  if (isLetter(event, 'r')) return { order: 'ruler' };
  if (isLetter(event, 'w')) return { order: 'camera' };
  if (isLetter(event, 't')) return { order: 'finish', way: 'text' };
  if (isLetter(event, 'p')) return { order: 'finish', way: 'pin' };
  if (isLetter(event, 's')) return { order: 'finish', way: 'scroll' };
  return isLetter(event, 'l') ? { order: 'last' } : null;
};
