/** Lists a real S3 store; the server itself never does that. */
import { createHash, createHmac } from 'node:crypto';
import type { S3Settings } from '../../../src/server/storage/s3-client.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signed as AWS Signature Version 4 says. */
const page = async (settings: S3Settings, query: Readonly<Record<string, string>>): Promise<string> => {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = settings;
  const { origin, host } = new URL(endpoint);
  const search = Object.keys(query)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(query[name] ?? '')}`)
    .join('&');
  const date = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = date.slice(0, 8);
  const hash = sha256('');
  const names = 'host;x-amz-content-sha256;x-amz-date';
  const headers = `host:${host}\nx-amz-content-sha256:${hash}\nx-amz-date:${date}\n`;
  const scope = `${day}/${region}/s3/aws4_request`;
  const canonical = ['GET', `/${bucket}`, search, headers, names, hash].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  const answer = await fetch(`${origin}/${bucket}?${search}`, {
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
      'x-amz-content-sha256': hash,
      'x-amz-date': date,
    },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The store does not list its objects: ${answer.status} ${text}`);
  return text;
};

/** All keys below the prefix, without it. */
export const listS3 = async (settings: S3Settings): Promise<readonly string[]> => {
  const prefix = settings.prefix === '' ? '' : `${settings.prefix}/`;
  const keys: string[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = { 'list-type': '2', prefix, ...(token !== '' && { 'continuation-token': token }) };
    const text = await page(settings, query);
    for (const [, key = ''] of text.matchAll(/<Key>([^<]+)<\/Key>/g)) keys.push(key.slice(prefix.length));
    token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text)?.[1];
  }
  return keys;
};
