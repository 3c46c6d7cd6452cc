/**
 * English texts of the connection banners, the error list, the details of a queue item, and the progress of the whole
 * queue.
 */
import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const enStatus = {
  reach: {
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
  },

  messages: {
    title: 'Messages',
    entry: (count: number) => `Messages, ${count} ${plural(count, { one: 'problem', other: 'problems' })}`,
    hint: 'Problems stay here until you dismiss them.',
    dismissed: (title: string) => `Dismiss: ${title}`,
    dismissAll: 'Dismiss all',
    times: (count: number) => `${count} times`,
  },

  details: {
    what: 'Type',
    file: 'File',
    from: 'Source',
    captured: 'Screenshot',
    recorded: 'Screen recording',
    goesTo: 'Destination',
    anyAccount: 'The account you connect next',
    link: 'Link',
    asAccount: 'Account default',
    sent: 'Uploaded as',
    unchanged: 'Original file',
    unmade: 'Prepared when its turn comes',
    parts: (done: number, total: number) => `${done} of ${total} parts`,
    speed: 'Speed',
    fastest: (speed: string) => `up to ${speed}`,
    happened: 'History',
    openItem: 'Show the item',
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel upload',
  },

  /** Document title while items need attention. */
  title: (count: number) => plural(count, { one: `${count} needs attention`, other: `${count} need attention` }),

  overall: {
    label: 'Overall progress',
    words: (percent: string, left: number) => `${percent}, ${items(left)} left`,
    milestone: (percent: string, left: number) => `${percent} of the queue uploaded, ${items(left)} left.`,
  },
};
