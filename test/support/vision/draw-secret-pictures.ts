/** Draws the pictures of the corpus of secrets in a browser, and says where each secret is in them. */
import type { Browser } from 'playwright-core';
import type { SecretPicture } from './secret-corpus.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DrawnPicture {
  readonly png: Buffer;
  /** In pixels of the picture, one for each secret. */
  readonly places: readonly Rectangle[];
  /** Where hiding is neither right nor wrong, such as the header of a key. */
  readonly beside: readonly Rectangle[];
}

export const drawSecretPicture = async (
  browser: Browser,
  { html, scale, secrets }: SecretPicture,
): Promise<DrawnPicture> => {
  const context = await browser.newContext({ deviceScaleFactor: scale, viewport: { width: 1_600, height: 900 } });
  const scaled = ({ x, y, width, height }: Rectangle): Rectangle => ({
    x: x * scale,
    y: y * scale,
    width: width * scale,
    height: height * scale,
  });
  try {
    const page = await context.newPage();
    await page.setContent(html);
    const marked = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-secret], [data-beside]')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { secret } = element.dataset;
        return { secret: secret === undefined ? null : Number(secret), x, y, width, height };
      }),
    );
    const png = await page.locator('body').screenshot({ animations: 'disabled' });
    const places = secrets.map((_, index) => {
      const place = marked.find(({ secret }) => secret === index);
      if (!place) throw new Error('A secret is not in the picture.');
      return scaled(place);
    });
    return { png, places, beside: marked.filter(({ secret }) => secret === null).map(scaled) };
  } finally {
    await context.close();
  }
};
