/** Hook that returns why a folder cannot be shared: a limit of the service, too little storage, or no files. */

import { useMemo } from 'react';
import type { FolderPreview } from '../../../common/folder/folder-preview.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useFreeAccountStorage } from './use-free-account-storage.ts';

interface ShareBlocker {
  readonly kind: 'limit' | 'empty' | 'room';
  readonly title: string;
  readonly advice: string;
  /** Label in place of the share button. */
  readonly short: string;
}

export const useShareBlocker = ({ refusal, textBytes }: FolderPreview): ShareBlocker | null => {
  const { t, failure } = useLocale();
  const freeBytes = useFreeAccountStorage();
  return useMemo(() => {
    const words = t.folder;
    if (refusal?.code === 'FOLDER_EMPTY') return { kind: 'empty', ...failure(refusal), short: words.blocked.empty };
    if (refusal) {
      return { kind: 'limit', title: failure(refusal).title, advice: words.over.how, short: words.blocked.limits };
    }
    // The service recompresses a folder, which needs less space than its text.
    return freeBytes === null || textBytes <= freeBytes
      ? null
      : { kind: 'room', title: words.over.room, advice: words.over.roomText, short: words.blocked.limits };
  }, [refusal, textBytes, freeBytes, t, failure]);
};
