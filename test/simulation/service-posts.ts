/** What the modelled service publishes in one request: once for each Idempotency-Key (decisions 3). */
import type { ApiOperation } from '../../src/contract/api.ts';
import type { Content } from '../../src/contract/content.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { type Answer, type Asked, type Rate, Refusal, refusalOf } from './exchange.ts';
import { type Premises, sha256 } from './premises.ts';

export const createPosts = (premises: Premises) => {
  const { timeline, dice } = premises;
  /** `content` null: the request is under way. */
  const posts = new Map<string, { readonly digest: string; readonly content: Content | null }>();
  const places = new Map<string, number>();

  return {
    post(asked: Asked, account: string, rate: Rate, answer: Answer): void {
      const { operation, headers } = asked;
      const { title, text } = asked.json as { readonly title: string; readonly text?: string };
      const key = `${account} ${operation} ${headers['idempotency-key']}`;
      const bytes = asked.bytes ?? Buffer.from(text ?? '');
      const digest = sha256(Buffer.concat([bytes, Buffer.from(JSON.stringify(asked.json))]));
      const known = posts.get(key);
      if (known && (!known.content || known.digest !== digest)) throw new Refusal('IDEMPOTENCY_CONFLICT');
      if (known?.content) {
        answer({ status: 201, body: createdOf(operation, known.content, 'before'), rate });
        return;
      }
      const held = places.get(account) ?? 0;
      if (held >= LIMITS.uploadsAtOnce) throw new Refusal('UPLOAD_USER_BUSY', '2');
      places.set(account, held + 1);
      posts.set(key, { digest, content: null });
      timeline.after(dice.between(5, 2_000), premises.life(), () => {
        places.set(account, (places.get(account) ?? 1) - 1);
        const isFull = premises.isFull(account, bytes.byteLength);
        if (isFull || dice.chance(0.03)) {
          posts.delete(key);
          answer(refusalOf(new Refusal(isFull ? 'QUOTA_EXCEEDED' : 'UPLOAD_SERVER_BUSY', '2')));
          return;
        }
        const content = premises.publish(account, title, bytes);
        posts.set(key, { digest, content });
        answer({ status: 201, body: createdOf(operation, content, 'now'), rate });
      });
    },

    /** The process is gone: what was under way was not published. */
    die(): void {
      places.clear();
      for (const [key, { content }] of posts) if (!content) posts.delete(key);
    },
  };
};

const RESULT = { files: 1, textBytes: 1, skipped: [], skippedFiles: 0, gitignore: 'none' };

const createdOf = (operation: ApiOperation, content: Content, made: 'now' | 'before') => ({
  ...content,
  content,
  ...(operation === 'createFolder' && { folder: made === 'now' ? RESULT : null }),
});
