/** A double of Windows, in which everybody can read what was there before: what it closes, and one that refuses to. */
import type { WindowsTools } from '../../src/base/node/private-folder.ts';

export const windowsRights = (refuses = false): WindowsTools & { readonly closed: string[] } => {
  const closed: string[] = [];
  return {
    closed,
    platform: 'win32',
    environment: {},
    run(program, args) {
      const [path = ''] = args;
      if (!program.endsWith('icacls.exe')) return null;
      if (args.length === 1) return `${path} BUILTIN\\Users:(I)(OI)(CI)(RX)`;
      if (!refuses) closed.push(path);
      return refuses ? null : '';
    },
  };
};
