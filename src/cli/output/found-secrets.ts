/**
 * Formats the secrets that were found or hidden in a picture. Also prints a message if the language data for Russian
 * text is missing.
 */

import type { FoundSecret, TextLanguage } from '../../ipc/protocol/vision.ts';
import type { Report } from './command-output.ts';

/** Such as "3 secrets hidden: 2 email, 1 card." */
export const formatFound = (found: readonly FoundSecret[], verb: 'found' | 'hidden'): string => {
  if (found.length === 0) return 'Nothing in the image looks secret.';
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, all]) => `${all.length} ${kind}`);
  return `${found.length} ${found.length === 1 ? 'secret' : 'secrets'} ${verb}: ${kinds.join(', ')}.`;
};

/** Without its data, labels of a language are not recognized. */
export const noteMissing = (missing: readonly TextLanguage[], report: Report): void => {
  if (missing.includes('rus'))
    report.note('Russian text was not read: the package tesseract-ocr-rus is not installed. See linkshot help text.');
};
