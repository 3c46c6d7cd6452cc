/** Status of network, service and items, and the error list. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'items' })}`;

export const enStatus = {
  reach: {
    network: { title: 'This computer has no network', advice: 'Linkshot notices when it is back.' },
    service: {
      title: (server: string) => `${server} does not answer`,
      advice: 'Linkshot keeps asking.',
    },
    full: {
      title: 'The service takes only so many requests a minute',
      goesOn: (time: string) => `What waits goes on by itself in ${time}.`,
    },
    paused: { title: 'The queue is paused', action: 'Resume all' },
    waiting: (count: number) =>
      count === 0
        ? 'What you add now is kept here and goes on by itself.'
        : plural(count, {
            one: `${items(count)} waits here and goes on by itself.`,
            other: `${items(count)} wait here and go on by themselves.`,
          }),
    resting: (count: number) =>
      plural(count, {
        one: `${items(count)} waits until you resume.`,
        other: `${items(count)} wait until you resume.`,
      }),
    trying: 'Trying now…',
    tryNow: 'Try now',
    back: 'The connection is back.',
  },

  messages: {
    title: 'Messages',
    entry: (count: number) => `Messages, ${count} ${plural(count, { one: 'problem', other: 'problems' })} to look at`,
    hint: 'What went wrong stays here until you take it away.',
    dismissed: (title: string) => `Take away: ${title}`,
    dismissAll: 'Take all away',
    times: (count: number) => `${count} times`,
  },

  details: {
    what: 'What',
    file: 'File',
    from: 'From',
    captured: 'A capture of the screen',
    recorded: 'A recording of the screen',
    goesTo: 'Goes to',
    anyAccount: 'The account you connect next',
    link: 'Link',
    asAccount: 'As your account says',
    sent: 'Is sent as',
    unchanged: 'As it is',
    unmade: 'Made ready when it is its turn',
    parts: (done: number, total: number) => `${done} of ${total} parts`,
    speed: 'Speed',
    fastest: (speed: string) => `${speed} at most`,
    happened: 'What happened',
    openItem: 'Show the published item',
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel upload',
  },

  /** Document title while items need attention. */
  title: (count: number) => plural(count, { one: `${count} needs attention`, other: `${count} need attention` }),

  overall: {
    label: 'Progress of the whole queue',
    words: (percent: string, left: number) => `${percent}, ${items(left)} left`,
    milestone: (percent: string, left: number) => `${percent} of the queue is uploaded, ${items(left)} left.`,
  },
};
