/** The autostart entry of a Linux desktop: a file in `autostart` of the user's configuration folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renameSync, rmSync } from '../../base/node/retrying-fs.ts';
import type { Launch, LoginEntry } from './login-item.ts';

/** Quotes a word of `Exec` by the Desktop Entry Specification, with `%` doubled. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, (special) => `\\${special}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;

const entryOf = ({ program, args }: Launch): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Linkshot',
    'Comment=Press the hotkey, get the link',
    'Comment[ru]=Нажмите клавишу — получите ссылку',
    `Exec=${[program, ...args, '--hidden'].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

/** Desktops disable an entry without removing it. */
const isOff = (entry: string): boolean => /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry);

/** `configDir`: XDG_CONFIG_HOME, or `.config` of the user's home. */
export const createAutostart = (configDir: string, launch: Launch): LoginEntry => {
  const folder = join(configDir, 'autostart');
  const path = join(folder, 'linkshot.desktop');
  return {
    isSet() {
      try {
        return !isOff(readFileSync(path, 'utf8'));
      } catch {
        return false;
      }
    },
    set() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.part`, entryOf(launch));
      renameSync(`${path}.part`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
};
