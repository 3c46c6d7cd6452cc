/**
 * Resumable uploads of the modelled service: states, keys, slots and expiry of the API document and API decisions 1.
 */
import type { Content } from '../../src/api/content.ts';
import { LIMITS, partCount, partLength } from '../../src/api/limits.ts';
import {
  type CompleteUpload,
  fingerprintText,
  type ResumableUpload,
  type StartUpload,
  type UploadState,
} from '../../src/api/resumable-upload.ts';
import { type Premises, sha256 } from './fixtures.ts';
import { type Answer, type Asked, guarded, type Rate, Refusal, refusalOf } from './request-response.ts';
import { EPOCH } from './timeline.ts';

interface Upload {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly start: StartUpload;
  readonly expiresAt: number;
  readonly parts: Map<number, Buffer>;
  state: UploadState;
  /** Callers that wait for the completion in progress. */
  waiting: Answer[];
  /** The first completion that was ever asked for; every later one must equal it. */
  asked: string | null;
  content: Content | null;
}

/** Bytes that begin so are no image or video. */
export const UNSUPPORTED = 0xff;

export interface PartOnItsWay {
  arrive(answer: Answer): void;
  breakOff(): void;
}

export const createUploads = (premises: Premises) => {
  const { timeline, dice, broken } = premises;
  const uploads = new Map<string, Upload>();
  const flights = new Map<symbol, { readonly account: string; readonly upload: string; readonly index: number }>();

  const stateOf = (upload: Upload): UploadState => {
    if (upload.state === 'UPLOADING' && upload.expiresAt <= timeline.now()) upload.state = 'EXPIRED';
    return upload.state;
  };
  const isGone = (upload: Upload) => stateOf(upload) === 'CANCELLED' || upload.state === 'EXPIRED';

  const recordOf = (upload: Upload): ResumableUpload => {
    const received = [...upload.parts.keys()].sort((a, b) => a - b);
    const { start } = upload;
    return {
      id: upload.id as ResumableUpload['id'],
      state: stateOf(upload),
      filename: start.filename,
      size: start.size,
      chunkSize: start.chunkSize,
      chunkCount: partCount(start.size),
      fingerprint: start.fingerprint,
      received,
      receivedBytes: received.reduce((sum, index) => sum + partLength(start.size, index), 0),
      expiresAt: new Date(EPOCH + upload.expiresAt).toISOString(),
      content: upload.content,
    };
  };

  const uploadOf = ({ params }: Asked, account: string): Upload => {
    const upload = uploads.get(String(params['id']));
    if (upload && upload.account !== account) broken(`account ${account} asked for an upload of ${upload.account}`);
    if (!upload || upload.account !== account) throw new Refusal('NOT_FOUND');
    return upload;
  };

  const open = () => [...uploads.values()].filter((upload) => !isGone(upload) && upload.state !== 'COMPLETED');

  const started = (body: StartUpload, key: string, account: string): Upload => {
    if (body.accountId !== account) throw new Refusal('ACCOUNT_MISMATCH');
    const known = [...uploads.values()].find((upload) => upload.key === key && upload.account === account);
    if (known && known.start.fingerprint !== body.fingerprint) throw new Refusal('IDEMPOTENCY_CONFLICT');
    if (known) return known;
    const isWhole = body.chunkHashes.length === partCount(body.size);
    if (!isWhole || sha256(fingerprintText(body.size, body.chunkHashes)) !== body.fingerprint) {
      broken(`a start with a wrong fingerprint: ${body.filename}`);
      throw new Refusal('INVALID_INPUT');
    }
    if (premises.isFull(account, body.size)) throw new Refusal('QUOTA_EXCEEDED');
    if (open().filter((other) => other.account === account).length >= LIMITS.pendingUploads) {
      throw new Refusal('UPLOAD_USER_BUSY', '60');
    }
    return {
      ...{ id: dice.uuid(), key, account, start: body, parts: new Map(), waiting: [], asked: null, content: null },
      expiresAt: timeline.now() + LIMITS.pendingUploadMs,
      state: 'UPLOADING',
    };
  };

  const keepPart = (upload: Upload, index: number, bytes: Buffer) => {
    if (isGone(upload)) throw new Refusal('UPLOAD_GONE');
    if (sha256(bytes) !== upload.start.chunkHashes[index]) throw new Refusal('UPLOAD_PART_MISMATCH');
    if (index === 0 && bytes[0] === UNSUPPORTED) {
      upload.state = 'CANCELLED';
      throw new Refusal('UPLOAD_FORMAT_UNSUPPORTED');
    }
    upload.parts.set(index, Buffer.from(bytes));
  };

  /** What looking into the file leads to, some seconds later. */
  const inspect = (upload: Upload, rate: Rate) => {
    const { size, filename, chunkHashes } = upload.start;
    const refused = (refusal: Refusal) => {
      upload.state = 'UPLOADING';
      return refusalOf(refusal);
    };
    if (dice.chance(0.03)) return refused(new Refusal(dice.pick(['INTERNAL', 'UPLOAD_SERVER_BUSY']), '2'));
    if (premises.isFull(upload.account, size)) return refused(new Refusal('QUOTA_EXCEEDED'));
    const bytes = Buffer.concat(chunkHashes.map((_, index) => upload.parts.get(index) ?? Buffer.alloc(0)));
    const { completeKey: _, ...share } = JSON.parse(upload.asked ?? '{}') as CompleteUpload;
    upload.content = premises.publish(upload.account, filename, bytes, 'IMAGE', share);
    upload.state = 'COMPLETED';
    return { status: 200, body: recordOf(upload), rate };
  };

  return {
    open,

    start(body: StartUpload, key: string, account: string): ResumableUpload {
      const upload = started(body, key, account);
      uploads.set(upload.id, upload);
      return recordOf(upload);
    },

    read: (asked: Asked, account: string) => recordOf(uploadOf(asked, account)),

    /** A part's body starts to arrive; the part reuses the slot of its stale duplicate. */
    beginPart(asked: Asked, account: string, rate: Rate): PartOnItsWay {
      const upload = uploadOf(asked, account);
      const index = Number(asked.params['index']);
      if (isGone(upload)) throw new Refusal('UPLOAD_GONE');
      const flying = [...flights].filter(([, flight]) => flight.account === account);
      const stale = flying.find(([, flight]) => flight.upload === upload.id && flight.index === index);
      if (stale) flights.delete(stale[0]);
      else if (flying.length >= LIMITS.partsAtOnce) throw new Refusal('UPLOAD_USER_BUSY', '1');
      const flight = Symbol();
      const mine = premises.life();
      flights.set(flight, { account, upload: upload.id, index });
      return {
        arrive(answer) {
          if (mine.isOver) return;
          flights.delete(flight);
          const keep = () => {
            keepPart(upload, index, asked.bytes ?? Buffer.alloc(0));
            return { status: 200, body: recordOf(upload), rate };
          };
          answer(guarded(keep));
        },
        breakOff: () => void flights.delete(flight),
      };
    },

    complete(asked: Asked, account: string, rate: Rate, answer: Answer): void {
      const upload = uploadOf(asked, account);
      const wish = JSON.stringify(asked.json as CompleteUpload);
      if (upload.asked !== null && upload.asked !== wish) {
        broken(`the completion of ${upload.start.filename} was repeated with another key or other fields`);
      }
      upload.asked = wish;
      if (isGone(upload)) throw new Refusal('UPLOAD_GONE');
      if (upload.state === 'COMPLETED') answer({ status: 200, body: recordOf(upload), rate });
      else if (upload.state === 'COMPLETING') upload.waiting.push(answer);
      else if (upload.parts.size < partCount(upload.start.size)) throw new Refusal('UPLOAD_INCOMPLETE');
      else {
        upload.waiting = [answer];
        upload.state = 'COMPLETING';
        timeline.after(dice.between(20, 4_000), premises.life(), () => {
          const reply = inspect(upload, rate);
          for (const waiter of upload.waiting.splice(0)) waiter(reply);
        });
      }
    },

    cancel(asked: Asked, account: string): void {
      const upload = uploadOf(asked, account);
      const state = stateOf(upload);
      if (state === 'COMPLETING' || state === 'COMPLETED') throw new Refusal('COMPLETE_CONFLICT');
      if (state === 'UPLOADING') upload.state = 'CANCELLED';
    },

    /** The process was killed: parts and completions in progress are lost. */
    die(): void {
      flights.clear();
      for (const upload of uploads.values()) {
        if (upload.state === 'COMPLETING') upload.state = 'UPLOADING';
        upload.waiting = [];
      }
    },
  };
};
