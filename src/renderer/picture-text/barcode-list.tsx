/**
 * List of the QR codes and barcodes of a picture with their full content. A link opens only after the user has seen its
 * address and chosen to open it.
 */
import { ExternalLink } from 'lucide-react';
import buttonStyles from '../components/buttons/button.module.css';
import { Button } from '../components/buttons/button.tsx';
import { CopyAction } from '../components/links/copy-button.tsx';
import { cx } from '../design/class-names.ts';
import { useLocale } from '../locales/locale.tsx';
import type { Code } from '../stores/captures/picture-text.ts';
import { isWebAddress } from '../stores/published/is-web-address.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import styles from './barcode-list.module.css';
import { revealInvisibleCharacters } from './reveal-invisible-characters.ts';

export const BarcodeList = ({ codes }: { readonly codes: readonly Code[] }) => {
  const { t } = useLocale();
  return (
    <ul className={styles.list} aria-label={t.pictureText.codes(codes.length)}>
      {codes.map((code) => (
        <Entry key={`${code.x} ${code.y} ${code.text}`} code={code} />
      ))}
    </ul>
  );
};

const Entry = ({ code: { format, text } }: { readonly code: Code }) => {
  const { pictureText } = useAppStores();
  const { t } = useLocale();
  const words = t.pictureText;
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const url = isWebAddress(text) ? URL.parse(text) : null;
  return (
    <li className={styles.code}>
      <p className={styles.kind}>{format === 'QRCode' ? words.qrCode : words.otherCode(format)}</p>
      {/* ASCII only, so that no letter looks like another one. */}
      <p className={styles.content} dir={url ? 'ltr' : 'auto'}>
        {url ? url.href : revealInvisibleCharacters(text)}
      </p>
      {url && <p className={styles.host}>{words.opens(url.host)}</p>}
      <div className={styles.actions}>
        <CopyAction label={words.copyCode} copy={() => pictureText.copy(text)} />
        {url &&
          (byHost ? (
            <Button icon={ExternalLink} onPress={() => pictureText.open(text)}>
              {words.open}
            </Button>
          ) : (
            <a
              className={cx(buttonStyles.button, buttonStyles.outline)}
              href={url.href}
              target="_blank"
              rel="noopener noreferrer"
            >
              <ExternalLink size={16} aria-hidden />
              {words.open}
            </a>
          ))}
      </div>
    </li>
  );
};
