/** A button that copies a text and confirms it for a moment; shows a message if the browser refuses. */

import { Check, Copy } from 'lucide-react';
import { Button } from '../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { useSaved } from './saved-mark.tsx';

/** `label`: accessible name. */
export const CopyTextButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { clipboard, toasts } = useAppStores();
  const { t } = useLocale();
  const [isCopied, reportCopied] = useSaved();
  const copy = async () => {
    if (await clipboard.write(text)) reportCopied();
    else toasts.show({ kind: 'copyRefused' });
  };
  return (
    <>
      <Button icon={isCopied ? Check : Copy} aria-label={label} isDisabled={text === ''} onPress={() => void copy()}>
        {t.link.copy}
      </Button>
      <VisuallyHidden live>{isCopied ? t.settingsMore.advanced.copied : ''}</VisuallyHidden>
    </>
  );
};
