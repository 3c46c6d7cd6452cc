/** Icons for clients that accept no SVG: the logo (`common/design/logo.ts`) as PNG of 180 pixels and as ICO of 32. */
import type { App } from '../http/app-type.ts';

const TOUCH_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAALQAAAC0CAMAAAAKE/YAAAABoVBMVEVKY+duguxtgexgdupsgOzY3fpVbOj///+Gl++DlO+uufSbqfLK0fhWben+/v+Ck+5Qaej09v7t7/11iO1NZefb4Prx8/1OZudXb+lRaei0v/Xz9f3r7vzw8v1/ke5ofetnfOtieOqZqPKerPJQaOi0vvX4+f6Flu/t8P1jeOqmsvOjr/P5+v75+f79/f96je3u8P3o6/xyhezS2PlTauhLZOe5w/ZOZ+iyvfWxvPWVpPGUo/H3+P719v7v8f3P1vlacOlZcOledOpYb+m6xPavuvSzvvWhrvKgrfKfrPKhrvONnfCHmO/s7vyBk+729/5xhex8ju7a3/rU2vlwg+xvg+zQ1/nFzfdme+vEzPfI0PhfdepddOpSauj7+/77/P+7xPa5wvatuPSst/Swu/WjsPOir/OXpfH09f2Vo/Hy9P2TovGBku7p7PyDle/c4fpyhuzn6vzc4PrV2/nZ3/pwhOxrf+tkeurZ3vrT2flpfuvN1PhkeeptguzM0/hcc+nR1/nK0vhhd+pccunJ0fhUbOi3wfW8xfa2wPWZp/GptfT+urjWAAAACXBIWXMAAD2EAAA9hAHVrK90AAAEF0lEQVR42u2c91fbMBCA1RDqDEhCEkbYaVkJJGWEDWVDoRQoe3fvvffe/aubltE4tQayZOS++350fKfv+TmWffIZIQAAAAAAAAAAAAAAAAAAAAAAAABgJvA6VO/K5ISjmB5V7PDrgupDsYBFwhH3+ZPav5R5SshxJZ4yg7DmUX9EuvJgV0LDUO4gBTrKcXF13UNyj/KVWQ1PRQ4+MqeCENg/JfE0GX6oEcnDh+aRIwuHZTm3NpNH1nxVuNAqHyW0oVWO8/0mjYYXF+ulhjZJsX53hjqwNo4LrqXHNm9I+A/eo4+r1ZqQ1uZrhEs3Mgxr5vRIc0r49XmWYVQTf8TfFIwIlu5iOVT8l7wdLot13kowjMk9uezPjWLnmLsMQ/JO4xnMCJX+Rh2P84ZJT4dQ6ez7uoFbLvO3pq7e5ex5UehFOiv5pKjEU1mXH5GX6pg+97K4zG36zFGB0iF96l5xmW/oM4cESvv1qd3iMrv1mf1IWmq3HTKDNEiDNEiDtCFDR7CshpWUTjW2EMsEa0vqSTtbqE+R8XbFpJ8VMTycxBWTXmB5eE0uWiVdqU9dyXL/imPl4Jn5cOhTGz/BXmKT7us8cGY+wgW6okrYcKfPbNL6pxOmzJx4MlN7jPd5yyjtPHBmTvKDfzMH8433+c4lzZKZF+f+5azIidnFxSXNkpmbnN1qXB629lV8h0uaIbMJqr2lpd5qwg5nk1zSDJllcnqbT/pweTPgs590+gSd/nH8Dz/P2Ud6j6O5mu2kCc7KSpOcVZUmOisqTXZWU5rirKQ0zVlFaaqzgtJ0Z/WkDZ231ZY2dC6MKy1t7Jx/TGVpjDNSWRrnrLI01llhabyzutIEZ2WlDZ1zj+78eE2/+aUdnNG0fvugHZzRhm77AzWcU2RnhAYyf2i01A1bUlmnOCNHxpN5SwpZV6zBF69cNOd0FWe/HHLzKUfBTUIB8hHVOV0x211CehHjKW0i4aXeVJLujFBn/ddXHy6G+IrISHhRfZXF2Vy5Hglfvohi5kGBCyNI+EJRZ5+J4yxzoYi4cLZiwlnmkhxxiXIxye98eCu2cX7nw5Nuj+/NHetfbPS+x9JaujPDt+Bqt9dLKuGP0S14HQikQRqkQRqk0X/+er28RoYeeY0MWS0j75EdWkaym3MmkKQux4DMNqi2HhFtUD1Zx1kLCn0aH7Wm4eyCUGm/Na19t4VKR+qsaKLsE9yo321Fu+qY4FreUL8NG4PRVRu2YKNAoexm9+fim93RJ4bPCnThgscZPisg5cMTrQmZp0fiCZLCXIPET2XMIUlszsu65D3eRNIITPTLmFyuT9YgmYx01wn/0M5YCZJNxN/RIO6GKdgxY9W3mAIxMR+PitYgAAAAAAAAAAAAAAAAAAAAAAAAAGDmF+Ot1SARurolAAAAAElFTkSuQmCC';
const FAVICON_ICO =
  'AAABAAEAICAAAAEAIABOAgAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgDAAAARKSKxgAAAK5QTFRFTGlxSmPmS2LnSWDoVVXUSmLmSWLnSWPmSWLmSWPmR2TnSmPnSmPnSmLmSGHmSWLmSWPmSmPmSG3aSmLmM2b/SmLmSWPmSmPnSmLnSWPmSmPmSmLmSmPmSmPn////T2fogZLuhpfvvsf2vcb2f5DufI7uZnvr/f3/iZnv/P3/TmbnboLs5ej8Tmfo5Oj7a4DrbYLs5en8vMX2w8v3h5jva3/rbIDsusT2b4Psu8T2dEvtCQAAAB10Uk5TAPQsLQbzjvyR0yuN1dQq/fKQB5QFk7uXlr7xvbzgBloiAAAACXBIWXMAACxLAAAsSwGlPZapAAABHUlEQVQ4y4WTaWOCMAyGowMBndfU3U0tYqWCx+7t//+xtbRSQKnvF9LmSROaFEDqJhx2SEOd4bQLWnePY3JRwcwr/E+kVS+KeCAOLWT+sQsI+hASp3pwa6zdL2MJVRZNGMu2ZjsCXxvfbyi1UuZKWflB70/AxBf+CoC5OcMAGeJPNcU7YlYDlojLam12XQdUMGP8ArBGXJfpBT+tLUDjmJaADDZrCxjR5EMDVnWAfAo3kG5wEzsA5U9tfWdFciH92jwrsgjjQqSk9tvNi+L82k22X7Vs1p+zWbu82e79qd0T/T3kdWD/pfefy5HbHqspjnbkpu6hHUA3cI79CGDmAkL5srzXdv/9XD1Ob9GSJQjn5n33e5Hf9PrRYKR8/5oUcbNk7Pg8AAAAAElFTkSuQmCC';

const DAY_SECONDS = 86_400;

/** Browsers ask for these addresses, also where no page has a link to them. */
export const registerRasterIcons = (app: App): void => {
  const icons = [
    ['/favicon.ico', 'image/x-icon', FAVICON_ICO],
    ['/apple-touch-icon.png', 'image/png', TOUCH_PNG],
    ['/apple-touch-icon-precomposed.png', 'image/png', TOUCH_PNG],
  ] as const;
  for (const [path, type, base64] of icons) {
    const bytes = Buffer.from(base64, 'base64');
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({
          'content-type': type,
          'cache-control': `public, max-age=${DAY_SECONDS}`,
          'x-content-type-options': 'nosniff',
        })
        .send(bytes),
    );
  }
};
