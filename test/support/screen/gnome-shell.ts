/** Asks a GNOME Shell that runs in unsafe mode for the value of an expression. */

/** Of `Shell.ActionMode`: a question is on the screen and has the keyboard. */
export const SYSTEM_MODAL = '32';

/** `run`: runs a program on the bus of the desktop. Rejects while the Shell does not answer, or cannot evaluate it. */
export const askShell = async (
  run: (program: string, ...args: readonly string[]) => Promise<Buffer>,
  expression: string,
): Promise<string> => {
  const shell = ['--session', '-d', 'org.gnome.Shell', '-o', '/org/gnome/Shell', '-m', 'org.gnome.Shell.Eval'];
  const answer = (await run('gdbus', 'call', ...shell, expression)).toString();
  const value = /^\(true, '(.*)'\)\s*$/s.exec(answer)?.[1];
  if (value === undefined) throw new Error(`The Shell does not evaluate ${expression}: ${answer}`);
  return value;
};
