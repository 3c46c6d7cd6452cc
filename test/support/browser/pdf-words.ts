/** The text of a printed page, read by Debian's pdftotext. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** With single spaces. */
export const wordsOf = async (pdf: Buffer): Promise<string> => {
  const running = promisify(execFile)('pdftotext', ['-', '-']);
  running.child.stdin?.end(pdf);
  return (await running).stdout.replace(/\s+/g, ' ');
};
