/**
 * Decides what closing the main window does: it hides where a tray icon leads back to it. Elsewhere the user is asked
 * whether Linkshot continues without a window, because only a new start would show it again; the answer can be remembered.
 */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { DesktopTexts } from '../desktop-texts.ts';

export interface AskBeforeHidingDeps {
  readonly isTrayShown: () => Promise<boolean>;
  readonly window: () => BrowserWindow | null;
  readonly messages: () => DesktopTexts;
  readonly quit: () => void;
  /** The remembered answer. */
  readonly answer: () => Answer;
  readonly remember: (answer: Exclude<Answer, 'ask'>) => void;
}

type Answer = Settings['closeWithoutTray'];

/** Buttons by their index. */
const [KEEP, QUIT, CANCEL] = [0, 1, 2];

/** Returns a function that resolves to whether the window may hide. */
export const createAskBeforeHiding =
  ({ isTrayShown, window, messages, quit, answer, remember }: AskBeforeHidingDeps) =>
  async (): Promise<boolean> => {
    if (await isTrayShown()) return true;
    const known = answer();
    if (known === 'quit') quit();
    if (known !== 'ask') return known === 'keep';
    const texts = messages().withoutTray;
    const options: MessageBoxOptions = {
      ...{ type: 'question', title: 'Linkshot', message: texts.title, detail: texts.body, noLink: true },
      ...{ buttons: [texts.keep, texts.quit, texts.cancel], defaultId: KEEP, cancelId: CANCEL },
      checkboxLabel: texts.remember,
    };
    const parent = window();
    const asked = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
    const { response, checkboxChecked } = asked;
    if (checkboxChecked && response !== CANCEL) remember(response === QUIT ? 'quit' : 'keep');
    if (response === QUIT) quit();
    return response === KEEP;
  };
