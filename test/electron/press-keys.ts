/** Presses a hotkey on the keyboard of this computer, so that the system delivers it to the app. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Of SendKeys on Windows. */
const WINDOWS: Readonly<Record<string, string>> = { Control: '^', Shift: '+', Alt: '%' };
/** Of System Events on macOS. */
const MAC: Readonly<Record<string, string>> = { Control: 'control', Shift: 'shift', Alt: 'option', Super: 'command' };

/** In Electron's form, such as `Control+Shift+1`: modifiers and one letter or digit. */
export const pressKeys = async (accelerator: string): Promise<void> => {
  const words = accelerator.split('+');
  const key = (words.pop() ?? '').toLowerCase();
  switch (process.platform) {
    case 'win32': {
      const keys = `${words.map((word) => WINDOWS[word] ?? '').join('')}${key}`;
      const script = `Add-Type -AssemblyName System.Windows.Forms; [System.Windows.Forms.SendKeys]::SendWait('${keys}')`;
      await run('powershell.exe', ['-NoProfile', '-Command', script]);
      return;
    }
    case 'darwin': {
      const held = words.map((word) => `${MAC[word]} down`).join(', ');
      await run('osascript', ['-e', `tell application "System Events" to keystroke "${key}" using {${held}}`]);
      return;
    }
    default:
      await run('xdotool', ['key', [...words, key].join('+').toLowerCase().replace('control', 'ctrl')]);
  }
};
