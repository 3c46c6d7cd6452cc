/** What a command says on stdout and stderr, for a person or as one JSON object per line. Remembers whether all went well. */
import type { Failure } from '../contract/errors.ts';
import type { Live, QueueItem, QueueItemIn } from '../contract/queue-item.ts';
import type { Arguments } from './arguments.ts';
import { bytesInWords, sentenceOf } from './messages.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

export interface Report {
  linked(name: string, item: QueueItemIn<'linked'>): void;
  /** `name` null: the failure is not about one file. */
  failed(name: string | null, failure: Failure): void;
  item(item: QueueItem, live: Live | undefined): void;
  /** For a person only; nothing in JSON. */
  note(text: string): void;
  exitCode(): 0 | 1;
}

/** Control characters of a file's name must not reach a terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?');

const stateInWords = (item: QueueItem, live: Live | undefined): string => {
  if (item.trouble) return sentenceOf(item.trouble.failure);
  if (item.state === 'linked') return item.content.url;
  if (item.intent === 'pause') return 'paused';
  if (item.state === 'started' || item.state === 'sent')
    return `${bytesInWords(live?.doneBytes ?? item.confirmedBytes)} of ${bytesInWords(item.size)} sent`;
  return item.state === 'completing' ? 'being published' : 'waiting';
};

export const createReport = (output: Arguments['output'], { out, error }: Streams): Report => {
  let exitCode: 0 | 1 = 0;
  const isJson = output === 'json';
  const line = (value: unknown): void => out(`${JSON.stringify(value)}\n`);
  return {
    linked: (name, { content, size }) => {
      if (isJson) line({ id: content.id, url: content.url, name, size, type: content.type });
      else out(`${content.url}\n`);
    },
    failed: (name, failure) => {
      exitCode = 1;
      const { code, params } = failure;
      const message = sentenceOf(failure);
      if (isJson) line({ error: { code, message, ...(name !== null && { file: name }), ...(params && { params }) } });
      else error(`${name === null ? '' : `${printable(name)}: `}${message}\n`);
    },
    item: (item, live) => {
      const { id, name, state, intent, size, trouble } = item;
      if (!isJson) return out(`${printable(name)}  ${stateInWords(item, live)}\n`);
      line({
        itemId: id,
        name,
        state,
        intent,
        size,
        ...('confirmedBytes' in item && { confirmedBytes: item.confirmedBytes }),
        ...(item.state === 'linked' && { id: item.content.id, url: item.content.url }),
        ...(trouble && { error: { code: trouble.failure.code, message: sentenceOf(trouble.failure) } }),
      });
    },
    note: (text) => {
      if (!isJson) error(`${text}\n`);
    },
    exitCode: () => exitCode,
  };
};
