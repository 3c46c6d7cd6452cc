/**
 * Hook for a field's draft of a value that is stored elsewhere. An untouched field follows the stored value; what the
 * user has typed stays.
 */

import { useState } from 'react';

export const useFieldDraft = (kept: string): readonly [typed: string, type: (text: string) => void] => {
  const [{ typed, over }, set] = useState({ typed: kept, over: kept });
  if (over !== kept) set({ typed: typed === over ? kept : typed, over: kept });
  return [typed, (text) => set({ typed: text, over: kept })];
};
