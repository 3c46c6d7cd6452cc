/**
 * Decides whether text recognition may have missed Russian text in a picture: the Russian recognition data is not
 * installed, and one of these holds: the user's languages include Russian, no words were recognised, or they were
 * recognised poorly.
 */
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import type { Locale } from '../locales/locale.tsx';

/** Words that are read worse than this on average are probably of another language. */
const LANGUAGE_CONFIDENCE = 70;

export const mayHaveMissedRussian = ({ missing, words }: PictureContent, language: Locale['language']): boolean => {
  if (!missing.includes('rus')) return false;
  const isSpoken = language === 'ru' || navigator.languages.some((tag) => tag.toLowerCase().startsWith('ru'));
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return isSpoken || words.length === 0 || sum / words.length < LANGUAGE_CONFIDENCE;
};
