/**
 * Sets the jump list of Windows: tasks in the menu of the program's button in the task bar and of its entry in Start.
 */
import type { App } from 'electron';
import type { DesktopTexts } from '../desktop-texts.ts';
import { windowsCommandLine } from './quote-windows-arguments.ts';
import type { Launch } from './start-at-login.ts';

export interface JumpListDeps {
  readonly app: Pick<App, 'setUserTasks'>;
  readonly launch: Launch;
  readonly messages: () => DesktopTexts;
  readonly log: (line: string) => void;
}

/** Returns a function to call at each change of the language; it renames the tasks. */
export const createJumpList = ({ app, launch, messages, log }: JumpListDeps): (() => void) => {
  const { program, args } = launch;
  let last: string | null = null;
  return () => {
    const { capture, history, settings } = messages();
    const tasks = [
      { title: capture.region, link: 'linkshot://capture?mode=region' },
      { title: history, link: 'linkshot://open/library' },
      { title: settings, link: 'linkshot://open/settings' },
    ].map(({ title, link }) => ({
      ...{ title, description: title, program, iconPath: program, iconIndex: 0 },
      arguments: windowsCommandLine([...args, '--', link]),
    }));
    const shown = JSON.stringify(tasks);
    if (shown === last) return;
    last = shown;
    if (!app.setUserTasks(tasks)) log('Windows refused the tasks of the jump list.');
  };
};
