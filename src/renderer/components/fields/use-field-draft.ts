/**
 * What a person types over a value that is kept elsewhere. Promise: a field that nobody has typed in shows the value as it
 * is, also when it changes in another window; what was typed stays.
 */

import { useState } from 'react';

export const useFieldDraft = (kept: string): readonly [typed: string, type: (text: string) => void] => {
  const [{ typed, over }, set] = useState({ typed: kept, over: kept });
  if (over !== kept) set({ typed: typed === over ? kept : typed, over: kept });
  return [typed, (text) => set({ typed: text, over: kept })];
};
