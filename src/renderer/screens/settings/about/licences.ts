/** The programs of resources/licences.txt (scripts/licences.ts) one by one, each with the text of its licence. Pure. */

export interface Program {
  /** With its version. */
  readonly name: string;
  readonly licence: string;
  readonly text: string;
}

const BETWEEN = /\n-{80}\n\n/;
/** `name 1.2.3 (MIT)`; Linkshot's own line has no version, and two more name a text of law. */
const TITLE = /^(.+?) \((.+)\)$/;

export const readLicences = (file: string): readonly Program[] =>
  file.split(BETWEEN).flatMap((section) => {
    const [head = '', ...rest] = section.split('\n\n');
    const text = rest.join('\n\n').trim();
    return head.split('\n').flatMap((title): Program[] => {
      const [, name, licence] = TITLE.exec(title) ?? [];
      return name !== undefined && licence !== undefined ? [{ name, licence, text }] : [];
    });
  });
