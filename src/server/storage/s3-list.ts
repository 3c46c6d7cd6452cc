/**
 * Lists the keys below the prefix of an S3 bucket with their sizes (`listStored`); an object has one key for each
 * chunk. Only `server objects check` uses it, so the running server needs no permission to list the bucket.
 */
import type { S3Client, S3Settings } from './s3-client.ts';

interface ListedKey {
  /** Below the prefix. */
  readonly key: string;
  /** As stored. */
  readonly bytes: number;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[name ?? ''] ?? whole;
  });

const textOf = (xml: string, name: string): string | null => {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? null : decoded(found);
};

/**
 * All keys below the prefix that begin with `start`, in the order of the store, which keeps the chunks of an object
 * together. Rejects as `S3Client.send`.
 */
export async function* listStored(
  client: S3Client,
  { prefix }: Pick<S3Settings, 'prefix'>,
  start = '',
): AsyncGenerator<ListedKey> {
  const root = prefix === '' ? '' : `${prefix}/`;
  for (let token: string | null = null; ; ) {
    const { body } = await client.send({
      ...{ operation: 'list', method: 'GET', key: null },
      query: { 'list-type': '2', prefix: `${root}${start}`, ...(token !== null && { 'continuation-token': token }) },
    });
    const xml = await body.text();
    for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = textOf(entry, 'Key');
      if (key?.startsWith(root)) yield { key: key.slice(root.length), bytes: Number(textOf(entry, 'Size')) };
    }
    token = textOf(xml, 'NextContinuationToken');
    if (textOf(xml, 'IsTruncated') !== 'true' || token === null) return;
  }
}
