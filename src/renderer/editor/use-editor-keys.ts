/**
 * Hook for the shortcuts of the editor, and for paste, which inserts text as a mark. Neither works in a dialog, and
 * while the user types only Ctrl+S and Ctrl+U do. Arrows, the page keys, and Enter without Ctrl work only on the
 * canvas.
 */

import { useEffect } from 'react';
import { findMark } from '../drawing/document.ts';
import { type EditorSession, placementOf } from '../drawing/editor-session.ts';
import { isDrawing, TOOL_KEYS, TOOLS } from '../drawing/tools.ts';
import { centreIn } from '../drawing/viewport.ts';
import { carriesFiles, isTextForField, readTransfer } from '../file-input/data-transfer.ts';
import { isCommandKey, isCtrlOrCommand, isInDialog, isLetter, isTyping, oncePerPress } from '../keyboard/key-events.ts';
import type { Gestures } from './canvas/gestures.ts';

const ZOOM_STEP = 1.25;
/** Pixels an arrow key with Alt moves. */
const FAST_STEP = 10;

interface KeyActions {
  readonly copy: () => void;
  readonly save: () => void;
  readonly upload: () => void;
  /** Null where images cannot be pinned. */
  readonly pin: (() => void) | null;
  /** Runs the export actions from the settings. */
  readonly finish: () => void;
  /** Asks for confirmation if something was drawn. */
  readonly discard: () => void;
  /** Opens the dialog for the background. */
  readonly openBackdrop: () => void;
  /** Explains why a pasted image was ignored. */
  readonly refusePaste: () => void;
}

interface Deps {
  readonly session: EditorSession;
  readonly gestures: React.RefObject<Gestures | null>;
  readonly actions: KeyActions;
}

const ARROWS: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const nextMark = (session: EditorSession, step: 1 | -1): void => {
  const { history, selected } = session.store.getState();
  const { marks } = history.present;
  const now = marks.findIndex(({ id }) => id === selected);
  const from = now === -1 && step === -1 ? 0 : now;
  session.select(marks[(from + step + marks.length) % marks.length]?.id ?? null);
};

const placeMark = (session: EditorSession): void => {
  const state = session.store.getState();
  const placement = placementOf(state);
  const middle = centreIn(placement, state.viewport);
  const selected = findMark(state.history.present, state.selected);
  if (state.tool === 'crop') session.use('select');
  else if (state.tool === 'text') session.write(middle);
  else if (isDrawing(state.tool)) {
    const { width, height } = state.viewport;
    session.insertMark(state.tool, middle, { width: width / placement.scale, height: height / placement.scale });
  } else if (selected?.kind === 'text') session.write(selected);
};

/** Inserts clipboard text in the centre of the view and opens it for editing. */
const writeText = (session: EditorSession, text: string): void => {
  const state = session.store.getState();
  session.write(centreIn(placementOf(state), state.viewport));
  session.type(text);
};

/** Handles keys for the selection; returns whether the key was handled. */
const onPicture = (event: KeyboardEvent, session: EditorSession): boolean => {
  const arrow = ARROWS[event.key];
  if (arrow) {
    const distance = event.altKey ? FAST_STEP : 1;
    session.adjust({ x: arrow.x * distance, y: arrow.y * distance }, event.shiftKey ? 'resize' : 'move');
  } else if (event.key === 'Enter') placeMark(session);
  else if (event.key === 'PageDown') nextMark(session, 1);
  else if (event.key === 'PageUp') nextMark(session, -1);
  else return false;
  return true;
};

/** Handles Ctrl or Cmd shortcuts; returns whether the key was handled. */
const onCommand = (event: KeyboardEvent, session: EditorSession, actions: KeyActions): boolean => {
  const { selected } = session.store.getState();
  const once = oncePerPress(event);
  if (isLetter(event, 's')) once(actions.save);
  else if (isLetter(event, 'u')) once(actions.upload);
  else if (event.key === 'Enter') once(actions.finish);
  else if (isTyping(event.target)) return false;
  else if (isLetter(event, 'z')) (event.shiftKey ? session.redo : session.undo)();
  else if (isLetter(event, 'y')) session.redo();
  else if (isLetter(event, 'c')) once(actions.copy);
  else if (actions.pin && isLetter(event, 'p')) once(actions.pin);
  else if (isLetter(event, 'd')) {
    if (selected !== null) session.duplicate(selected);
  } else if (event.key === '0') session.zoom('fit');
  else if (event.key === '+' || event.key === '=') session.zoom(ZOOM_STEP);
  else if (event.key === '-') session.zoom(1 / ZOOM_STEP);
  else return false;
  return true;
};

const stepBack = ({ session, gestures, actions }: Deps): void => {
  const { tool, selected } = session.store.getState();
  if (gestures.current?.cancel()) return;
  if (tool === 'crop') session.cancelCrop();
  else if (selected !== null) session.select(null);
  else actions.discard();
};

const isOnPicture = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.dataset['canvas'] !== undefined);

export const useEditorKeys = (deps: Deps): void => {
  const { session, actions, gestures } = deps;
  useEffect(() => {
    const press = (event: KeyboardEvent): boolean => {
      if (isCommandKey(event)) return !event.altKey && onCommand(event, session, actions);
      if (isCtrlOrCommand(event) || isTyping(event.target)) return false;
      if (event.key === 'Escape') {
        stepBack({ session, actions, gestures });
        return true;
      }
      if (event.key === 'Delete' || event.key === 'Backspace') {
        const { selected } = session.store.getState();
        if (selected !== null) session.remove(selected);
        return true;
      }
      if (isOnPicture(event.target) && onPicture(event, session)) return true;
      if (event.altKey || event.shiftKey) return false;
      if (isLetter(event, 'f')) {
        actions.openBackdrop();
        return true;
      }
      const tool = TOOLS.find((known) => isLetter(event, TOOL_KEYS[known].toLowerCase()));
      if (tool) session.use(tool);
      return tool !== undefined;
    };
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isInDialog(event.target)) return;
      if (press(event)) event.preventDefault();
    };
    const paste = (event: ClipboardEvent): void => {
      const { clipboardData } = event;
      if (!clipboardData) return;
      if (isTyping(event.target) && (!carriesFiles(clipboardData) || isTextForField(clipboardData))) return;
      // The window would upload the pasted image immediately, unseen.
      event.stopPropagation();
      event.preventDefault();
      const { text, files, folders, refused } = readTransfer(clipboardData);
      // An address is a text, too.
      const written = text ?? (refused === 'addressDropped' ? clipboardData.getData('text/plain') || null : null);
      // The target of a paste is the page itself where nothing is selected, so the focus tells.
      if (written !== null && !isInDialog(document.activeElement)) writeText(session, written);
      else if (files.length + folders.length > 0 || (refused !== null && written === null)) actions.refusePaste();
    };
    window.addEventListener('keydown', listen);
    document.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('keydown', listen);
      document.removeEventListener('paste', paste);
    };
  }, [session, actions, gestures]);
};
