/** One note and the way back to the place that led here. */

import { ArrowLeft } from 'lucide-react';
import type { ItemId } from '../../../contract/ids.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../parts/button.tsx';
import { usePage, usePlace } from '../../stores/use-page.tsx';

export const NoteScreen = (_: { readonly id: ItemId | null }) => {
  const { view } = usePage();
  const { t } = useLocale();
  const place = usePlace();
  return (
    <Button icon={ArrowLeft} onPress={view.back}>
      {t.app[place]}
    </Button>
  );
};
