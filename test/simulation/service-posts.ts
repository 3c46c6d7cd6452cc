/** Single-request publications of the modelled service: once for each Idempotency-Key (API decisions 3). */

import type { Content, ShareFields } from '../../src/api/content.ts';
import type { ApiOperation } from '../../src/api/endpoints/endpoint-table.ts';
import { LIMITS } from '../../src/api/limits.ts';
import { type Premises, sha256 } from './fixtures.ts';
import { type Answer, type Asked, type Rate, Refusal, refusalOf } from './request-response.ts';

/** How long the service looks into what it got; a lost note is looked for after a second and a half. */
const LOOKS_MS = { createNote: 1_000, createFolder: 4_000, uploadFile: 2_000 } as const;
type Post = keyof typeof LOOKS_MS;
const TYPES = { createNote: 'PASTE', createFolder: 'FOLDER', uploadFile: 'IMAGE' } as const satisfies Record<
  Post,
  Content['type']
>;

export const isPost = (operation: ApiOperation): operation is Post => operation in LOOKS_MS;

export const createPosts = (premises: Premises) => {
  const { timeline, dice } = premises;
  /** `content` null: the request is in progress. */
  const posts = new Map<string, { readonly digest: string; readonly content: Content | null }>();
  const places = new Map<string, number>();

  return {
    post(asked: Asked, operation: Post, account: string, rate: Rate, answer: Answer): void {
      const { name, share, bytes } = operation === 'createNote' ? noteOf(asked) : formOf(asked);
      const key = `${account} ${operation} ${asked.headers['idempotency-key']}`;
      const digest = sha256(Buffer.concat([bytes, Buffer.from(JSON.stringify(share))]));
      const known = posts.get(key);
      if (known && (!known.content || known.digest !== digest)) throw new Refusal('IDEMPOTENCY_CONFLICT');
      if (known?.content) {
        if (!premises.isThere(known.content.id)) throw new Refusal('CONTENT_GONE');
        answer({ status: 201, body: createdOf(operation, known.content, 'before'), rate });
        return;
      }
      const held = places.get(account) ?? 0;
      if (held >= LIMITS.uploadsAtOnce) throw new Refusal('UPLOAD_USER_BUSY', '2');
      places.set(account, held + 1);
      posts.set(key, { digest, content: null });
      timeline.after(dice.between(5, LOOKS_MS[operation]), premises.life(), () => {
        places.set(account, (places.get(account) ?? 1) - 1);
        const isFull = premises.isFull(account, bytes.byteLength);
        if (isFull || dice.chance(0.03)) {
          posts.delete(key);
          answer(refusalOf(new Refusal(isFull ? 'QUOTA_EXCEEDED' : 'UPLOAD_SERVER_BUSY', '2')));
          return;
        }
        const content = premises.publish(account, name, bytes, TYPES[operation], share);
        posts.set(key, { digest, content });
        answer({ status: 201, body: createdOf(operation, content, 'now'), rate });
      });
    },

    /** The process was killed: requests in progress were not published. */
    die(): void {
      places.clear();
      for (const [key, { content }] of posts) if (!content) posts.delete(key);
    },
  };
};

interface Posted {
  readonly name: string;
  readonly share: ShareFields;
  readonly bytes: Buffer;
}

const noteOf = ({ json }: Asked): Posted => {
  const {
    text,
    format: _,
    language: __,
    ...share
  } = json as ShareFields & Record<'text' | 'format' | 'language', string>;
  return { name: share.title ?? '', share, bytes: Buffer.from(text) };
};

/** The file of a form and its title; a folder is known by that. */
const formOf = ({ bytes }: Asked): Posted => {
  const form = (bytes ?? Buffer.alloc(0)).toString('latin1');
  const boundary = form.slice(0, form.indexOf('\r\n'));
  const parts = form.split(boundary);
  const valueIn = (mark: string) => {
    const part = parts.find((one) => one.includes(mark)) ?? '';
    return part.slice(part.indexOf('\r\n\r\n') + 4, -2);
  };
  const title = valueIn('name="title"');
  const tags = valueIn('name="tags"');
  const share = { title, ...(tags && { tags: JSON.parse(tags) as string[] }) };
  return { name: title, share, bytes: Buffer.from(valueIn('filename='), 'latin1') };
};

const RESULT = { files: 1, textBytes: 1, skipped: [], skippedFiles: 0, gitignore: 'none' };

const createdOf = (operation: ApiOperation, content: Content, made: 'now' | 'before') => ({
  ...content,
  content,
  ...(operation === 'createFolder' && { folder: made === 'now' ? RESULT : null }),
});
