/**
 * Decides what closing the main window does: it hides where a tray icon leads back to it. Elsewhere the user is asked
 * whether Linkshot continues without a window, because only a new start would show it again.
 */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { DesktopTexts } from '../desktop-texts.ts';

export interface AskBeforeHidingDeps {
  readonly isTrayShown: () => Promise<boolean>;
  readonly window: () => BrowserWindow | null;
  readonly messages: () => DesktopTexts;
  readonly quit: () => void;
}

/** Buttons by their index. */
const [KEEP, QUIT, CANCEL] = [0, 1, 2];

/** Returns a function that resolves to whether the window may hide. */
export const createAskBeforeHiding =
  ({ isTrayShown, window, messages, quit }: AskBeforeHidingDeps) =>
  async (): Promise<boolean> => {
    if (await isTrayShown()) return true;
    const texts = messages().withoutTray;
    const options: MessageBoxOptions = {
      ...{ type: 'question', title: 'Linkshot', message: texts.title, detail: texts.body, noLink: true },
      ...{ buttons: [texts.keep, texts.quit, texts.cancel], defaultId: KEEP, cancelId: CANCEL },
    };
    const parent = window();
    const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
    if (response === QUIT) quit();
    return response === KEEP;
  };
