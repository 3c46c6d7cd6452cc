/**
 * Finds the language data of Tesseract, which recognises text. English comes with the app; Russian is taken from the
 * profile or from the system.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TextLanguage } from '../../ipc/protocol/vision.ts';

export interface LanguageData {
  /** Null: it is not installed. */
  find(language: TextLanguage): string | null;
}

export interface LanguageDataDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profileDir: string;
}

/** Where the packages of Tesseract put it: Debian and Ubuntu, Fedora, Arch, Homebrew. */
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tesseract/tessdata',
  '/usr/share/tessdata',
  '/opt/homebrew/share/tessdata',
  '/usr/local/share/tessdata',
];

/** The folder for data that the user downloads, in the profile. */
const DATA_FOLDER = 'tessdata';

const bundled = (): string =>
  createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');

/** `LINKSHOT_TESSDATA` is searched instead of the folders of the system. */
export const createLanguageData = ({ environment, profileDir }: LanguageDataDeps): LanguageData => {
  const programs = environment['ProgramFiles'];
  const configured = environment['LINKSHOT_TESSDATA'];
  const system = programs ? [join(programs, 'Tesseract-OCR', 'tessdata')] : SYSTEM_FOLDERS;
  const folders = [join(profileDir, DATA_FOLDER), ...(configured ? [configured] : system)];
  return {
    find(language) {
      if (language === 'eng') return bundled();
      const paths = folders.map((folder) => join(folder, `${language}.traineddata`));
      return paths.find((path) => existsSync(path)) ?? null;
    },
  };
};
