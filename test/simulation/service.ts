/**
 * A model of the service in virtual time: keys, budgets, quota, uploads and posts as the API document and the decisions
 * define them. A request that no correct client may send fails the run.
 */

import type { Content } from '../../src/api/content.ts';
import type { Budget } from '../../src/api/endpoints/endpoint.ts';
import { API, type ApiOperation } from '../../src/api/endpoints/endpoint-table.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { StartUpload } from '../../src/api/resumable-upload.ts';
import { modelAccount, modelContent } from '../support/server/model-account.ts';
import { type Premises, type Published, sha256 } from './fixtures.ts';
import { type Answer, type Asked, type Rate, Refusal, refusalOf } from './request-response.ts';
import type { Dice } from './rng.ts';
import { createContents } from './service-content.ts';
import { createPosts } from './service-posts.ts';
import { createUploads, type PartOnItsWay } from './service-uploads.ts';
import { EPOCH, type Life, type Timeline } from './timeline.ts';

type KeyState = 'good' | 'API_KEY_EXPIRED' | 'API_KEY_REVOKED' | 'ACCOUNT_BANNED';

export interface SimulatedService {
  /** Answers when the service does; never, when it dies first. */
  handle(asked: Asked, answer: Answer): void;
  /** A part's body has begun to come. Throws a refusal. */
  beginPart(asked: Asked): PartOnItsWay;
  /** SIGKILL: unconfirmed data is lost, and so is every request in progress. */
  die(): void;
  revive(): void;
  readonly isUp: boolean;
  readonly keys: Map<string, { readonly account: string; state: KeyState }>;
  published(): readonly Published[];
  /** File names of the uploads that are not at their end. */
  unfinished(): readonly string[];
  quotaBytes: number;
  usedBytes(account: string): number;
}

const BUDGETS: Record<Budget, number> = {
  general: LIMITS.requestsPerMinute,
  uploads: LIMITS.uploadRequestsPerMinute,
  parts: LIMITS.partsPerMinute,
  guest: LIMITS.guestRequestsPerMinute,
};

export const createService = (timeline: Timeline, dice: Dice, broken: (promise: string) => void): SimulatedService => {
  const keys: SimulatedService['keys'] = new Map();
  const items: Published[] = [];
  const windows = new Map<string, { readonly endsAt: number; left: number }>();
  let life: Life = { name: 'service', isOver: false };

  const usedBytes = (account: string) =>
    items.reduce((sum, item) => sum + (item.account === account && !item.isDeleted ? item.size : 0), 0);

  const premises: Premises = {
    ...{ timeline, dice, broken },
    life: () => life,
    isFull: (account, bytes) => usedBytes(account) + bytes > service.quotaBytes,
    isThere: (id) => items.some((item) => item.id === id && !item.isDeleted),
    publish(account, name, bytes, type, share) {
      const id = `item-${items.length + 1}`;
      const size = bytes.byteLength;
      const content: Content = {
        ...modelContent(id, 'https://model.test', { title: share.title ?? name, name, size, tags: share.tags ?? [] }),
        ...(type === 'PASTE' && { pasteFormat: 'plain', pasteLanguage: null }),
        type,
        createdAt: new Date(EPOCH + timeline.now()).toISOString(),
      };
      const text = type === 'PASTE' ? bytes.toString() : null;
      items.push({ id, account, name, sha256: sha256(bytes), size, content, text, isDeleted: false });
      return content;
    },
  };
  const uploads = createUploads(premises);
  const posts = createPosts(premises);
  const contents = createContents(items);

  const holderOf = ({ key, headers }: Asked): string => {
    const holder = keys.get(key);
    if (!holder) throw new Refusal('API_KEY_INVALID');
    if (holder.state !== 'good') throw new Refusal(holder.state);
    const guard = headers['x-service-account'];
    if (guard === undefined || guard === holder.account) return holder.account;
    broken(`a request of account ${guard} went out with the key of ${holder.account}`);
    throw new Refusal('ACCOUNT_MISMATCH');
  };

  /** Counts the request. */
  const charge = (account: string, operation: ApiOperation): Rate => {
    const { budget } = API[operation];
    const name = `${account} ${budget}`;
    const now = timeline.now();
    const known = windows.get(name);
    const window = known && known.endsAt > now ? known : { endsAt: now + LIMITS.budgetWindowMs, left: BUDGETS[budget] };
    windows.set(name, window);
    // Whole seconds, as the headers have them.
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    if (window.left === 0) throw new Refusal('RATE_LIMITED', String(seconds));
    window.left--;
    return { limit: BUDGETS[budget], remaining: window.left, resetMs: seconds * 1000 };
  };

  const accountOf = (id: string) => {
    const account = modelAccount(id);
    return { ...account, user: { ...account.user, storageUsed: usedBytes(id) } };
  };

  const handle = (asked: Asked, answer: Answer): void => {
    const account = holderOf(asked);
    const rate = charge(account, asked.operation);
    switch (asked.operation) {
      case 'readAccount':
        answer({ status: 200, body: accountOf(account), rate });
        break;
      case 'startUpload': {
        const upload = uploads.start(asked.json as StartUpload, String(asked.headers['idempotency-key']), account);
        answer({ status: 200, body: upload, rate });
        break;
      }
      case 'readUpload':
        answer({ status: 200, body: uploads.read(asked, account), rate });
        break;
      case 'completeUpload':
        uploads.complete(asked, account, rate, answer);
        break;
      case 'cancelUpload':
        uploads.cancel(asked, account);
        answer({ status: 204, body: null, rate });
        break;
      case 'createNote':
      case 'createFolder':
      case 'uploadFile':
        posts.post(asked, asked.operation, account, rate, answer);
        break;
      case 'listContent':
        answer({ status: 200, body: contents.list(asked, account), rate });
        break;
      case 'readContent':
        answer({ status: 200, body: contents.read(asked, account), rate });
        break;
      case 'readNoteText':
        answer({ status: 200, body: contents.readText(asked, account), rate });
        break;
      case 'updateContent':
        answer({ status: 200, body: contents.update(asked, account), rate });
        break;
      case 'deleteContent':
        contents.remove(asked, account);
        answer({ status: 204, body: null, rate });
        break;
      default:
        broken(`the model has no operation ${asked.operation}`);
    }
  };

  const service: SimulatedService = {
    ...{ keys, usedBytes, quotaBytes: Number.POSITIVE_INFINITY },
    handle(asked, answer) {
      if (life.isOver) return;
      try {
        handle(asked, answer);
      } catch (error) {
        answer(refusalOf(error));
      }
    },
    beginPart(asked) {
      const account = holderOf(asked);
      return uploads.beginPart(asked, account, charge(account, 'putPart'));
    },
    get isUp() {
      return !life.isOver;
    },
    die() {
      life.isOver = true;
      uploads.die();
      posts.die();
    },
    revive() {
      life = { name: 'service', isOver: false };
    },
    published: () => items,
    unfinished: () => uploads.open().map(({ start }) => start.filename),
  };
  return service;
};
