/** QR code of an item's link, on screen and as a file. Black on white in both themes, as cameras expect. */

import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import styles from './qr-code.module.css';

/** Quiet zone in modules, as ISO/IEC 18004 requires. */
const BORDER = 4;
/** Pixels of one module in the file. */
const SCALE = 12;

interface Code {
  /** Modules per side, including the quiet zone. */
  readonly size: number;
  /** SVG path of the dark modules, one run per row segment. */
  readonly path: string;
}

const codeOf = (url: string): Code => {
  const { data, size } = encode(url, { ecc: 'M', border: BORDER });
  const path = data
    .flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('');
  return { size, path };
};

const svgOf = ({ size, path }: Code): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * SCALE}" height="${size * SCALE}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;

const pngOf = async ({ size, path }: Code): Promise<Blob> => {
  const canvas = new OffscreenCanvas(size * SCALE, size * SCALE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas to draw on.');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(SCALE, SCALE);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  return canvas.convertToBlob({ type: 'image/png' });
};

const save = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
};

interface QrCodeProps {
  readonly name: string;
  readonly url: string;
}

export const QrCode = ({ name, url }: QrCodeProps) => {
  const { t } = useLocale();
  const words = t.item.link;
  const code = useMemo(() => codeOf(url), [url]);
  const file = name.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
  return (
    <figure className={styles.code}>
      <svg
        viewBox={`0 0 ${code.size} ${code.size}`}
        role="img"
        aria-label={words.qrOf(name)}
        shapeRendering="crispEdges"
        className={styles.picture}
      >
        <rect width={code.size} height={code.size} fill="#fff" />
        <path d={code.path} fill="#000" />
      </svg>
      <figcaption className={styles.hint}>{words.qrHint}</figcaption>
      <div className={styles.actions}>
        <Button icon={Download} onPress={async () => save(await pngOf(code), `${file}.png`)}>
          {words.savePng}
        </Button>
        <Button icon={Download} onPress={() => save(new Blob([svgOf(code)], { type: 'image/svg+xml' }), `${file}.svg`)}>
          {words.saveSvg}
        </Button>
      </div>
    </figure>
  );
};
