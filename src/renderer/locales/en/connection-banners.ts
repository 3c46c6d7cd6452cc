/** English texts of the banners about the connection and a paused queue. */
import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const enConnectionBanners = {
  network: { title: 'No internet connection', advice: 'Linkshot continues when you’re back online.' },
  service: {
    title: (server: string) => `${server} isn’t responding`,
    advice: 'Linkshot keeps trying.',
  },
  full: {
    title: 'Too many requests',
    goesOn: (time: string) => `Uploads continue automatically in ${time}.`,
  },
  paused: { title: 'The queue is paused', action: 'Resume all' },
  waiting: (count: number) =>
    count === 0
      ? 'Files you add now are saved and upload automatically.'
      : plural(count, {
          one: `${items(count)} is waiting and will continue automatically.`,
          other: `${items(count)} are waiting and will continue automatically.`,
        }),
  resting: (count: number) =>
    plural(count, {
      one: `${items(count)} is waiting until you resume.`,
      other: `${items(count)} are waiting until you resume.`,
    }),
  trying: 'Trying now…',
  tryNow: 'Try now',
  back: 'Back online.',
};
