/** Opens the share page of an item: by the host in the person's browser, or in another tab of this one. */

import type { LibraryItem } from '../../../contract/state.ts';
import { isWebAddress } from '../../stores/links.ts';
import { useApp, usePage } from '../../stores/use-page.tsx';

/** Null: its link is no web address. */
export const useOpenLink = ({ id, content: { url } }: LibraryItem): (() => void) | null => {
  const { engine } = usePage();
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  if (!isWebAddress(url)) return null;
  return () => {
    if (byHost) void engine.run('link.open', { id });
    else window.open(url, '_blank', 'noopener,noreferrer');
  };
};
