/** The share pages of folders, in real Chromium and over HTTP; the folders are created through `POST /folders`. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { treeOf } from '../../../src/common/folder/file-tree.ts';
import { packFiles } from '../../../src/server/folders/normalise-archive.ts';
import { unaligned } from '../../support/audit/alignment.ts';
import { axeViolations, overflows } from '../../support/audit/page-audit.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { cpuMsUntil } from '../../support/cpu-time.ts';
import { change, editRow, publish } from '../../support/server/items.ts';
import { PATIENT_RENDERING, type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { queryData } from '../../support/server/stored-bytes.ts';

const PASSWORD = 'correct horse battery';

let service: RunningServer;
let owner: User;
let chrome: Browser;
beforeAll(async () => {
  const limits = { requestsPerMinute: 100_000, guestRequestsPerMinute: 100_000 };
  service = await startServer({ config: { limits, rendering: PATIENT_RENDERING } });
  owner = await service.user({ plan: 'pro' });
  chrome = await openBrowser();
});
afterAll(async () => {
  await chrome.close();
  await service.stop();
});

const zipOf = (files: Readonly<Record<string, string>>): Buffer =>
  packFiles(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
const share = async (
  files: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>> = {},
): Promise<Content> => {
  const answer = await sendFile(service.url, {
    path: '/api/v1/folders',
    key: owner.apiKey,
    bytes: zipOf(files),
    filename: 'small-app.zip',
    fields,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.content;
};
const get = async (address: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
};
const filePage = ({ url }: Content, path: string): string => `${url}?file=${encodeURIComponent(path)}`;

/** A page that records external requests and browser errors. */
const visit = async (address: string, options: BrowserContextOptions = {}) => {
  const context = await chrome.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(address);
  return { page, faults, close: () => context.close() };
};

const APP = {
  'README.md':
    '# Small app\n\nSee [the code](src/main.ts#L2), [the plan](docs/plan.md) and ![a picture](https://example.org/a.png).',
  'docs/plan.md': 'Back to [the code](../src/main.ts).\n\n<script>alert(1)</script>',
  'src/main.ts': 'const a = 1;\nexport const b = `</code><script>alert(1)</script>`;\n',
  'deep/er/and/deeper/x.txt': 'привет\n',
  "a&b/it's #1 100%.txt": 'odd\n',
};

describe('The page of a folder', () => {
  it('lists its files as a tree, shows its README, and leads to every file, without a script', async () => {
    const folder = await share(APP);
    const { page, faults, close } = await visit(folder.url, { javaScriptEnabled: false });
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['small-app', '5\u00a0files', owner.username, 'Small app', 'deep/er/and/deeper'])
      expect(text).toContain(part);
    const links = await page
      .locator('.tree a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(links).toHaveLength(5);
    for (const link of links) expect((await fetch(link)).status).toBe(200);
    await page.getByRole('link', { name: 'the code' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#L2');
    await expect.poll(() => page.locator('pre.code').textContent()).toBe(APP['src/main.ts']);
    expect(await page.locator('.hljs-keyword').first().textContent()).toBe('const');
    await page.getByRole('link', { name: 'All files' }).click();
    await expect.poll(() => page.url()).toBe(folder.url);
    expect(faults).toEqual([]);
    await close();
  });

  it('opens and closes its folders, and a step of the path leads to where the list shows it', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`src/lib/part ${index}/file.ts`, `${index}`]),
    );
    const folder = await share({ ...many, 'README.txt': 'top' });
    const { page, close } = await visit(filePage(folder, 'src/lib/part 42/file.ts'));
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'part 42' }).click();
    await expect.poll(() => page.locator('summary:has(:target)').isVisible()).toBe(true);
    await page.locator('summary:has(:target)').click();
    await page.locator('summary:has(:target) + ul').getByRole('link', { name: 'file.ts' }).waitFor();
    await page.goto(`${folder.url}#in-src`);
    await expect.poll(() => page.locator('summary:has(:target)').textContent()).toBe('src/lib');
    await close();
  });

  it('shows Markdown rendered or as it was written', async () => {
    const folder = await share(APP);
    const { page, faults, close } = await visit(filePage(folder, 'docs/plan.md'));
    expect(await page.getByRole('link', { name: 'the code' }).getAttribute('href')).toBe('?file=src%2Fmain.ts');
    expect(await page.locator('main script').count()).toBe(0);
    await page.getByRole('link', { name: 'Source' }).click();
    await expect.poll(() => page.locator('pre.code').textContent()).toBe(APP['docs/plan.md']);
    await page.getByRole('link', { name: 'Rendered' }).click();
    await page.getByRole('link', { name: 'the code' }).waitFor();
    expect(await page.locator('pre.code').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it.each(['src/main.ts', 'README.md'] as const)('copies the text of a file (%s)', async (path) => {
    const folder = await share(APP);
    const { page, close } = await visit(filePage(folder, path), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(APP[path]);
    await close();
  });

  it('shows names of any letters', async () => {
    const folder = await share(APP);
    const { text } = await get(folder.url);
    expect(text).toContain('it&#39;s #1 100%.txt');
    expect((await get(filePage(folder, "a&b/it's #1 100%.txt"))).text).toContain('odd');
  });

  it('finds the file or folder of a link whose letters are composed in another way than on the disk', async () => {
    const [asTyped, onDisk] = ['чертёж'.normalize('NFC'), 'чертёж'.normalize('NFD')];
    const readme = `[plan](docs/${asTyped}.md), [drawings](${asTyped}/), [the same](${asTyped})`;
    const folder = await share({
      ...{ ...APP, 'README.md': readme, [`docs/${onDisk}.md`]: `[drawing](../${asTyped}/${asTyped}.txt)` },
      [`${onDisk}/${onDisk}.txt`]: 'decomposed\n',
    });
    const { page, faults, close } = await visit(folder.url, { javaScriptEnabled: false });
    const beneath = page.locator('summary:has(:target)');
    for (const name of ['drawings', 'the same']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect.poll(() => beneath.textContent()).toBe(onDisk);
      await page.goto(folder.url);
    }
    await page.getByRole('link', { name: 'plan', exact: true }).click();
    await page.getByRole('link', { name: 'drawing', exact: true }).click();
    await expect.poll(() => page.locator('pre.code').textContent()).toBe('decomposed\n');
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: onDisk }).click();
    await expect.poll(() => beneath.textContent()).toBe(onDisk);
    expect(faults).toEqual([]);
    await close();
  });

  it.each([
    'nothing.txt',
    'sr',
    'src//',
    '/',
    '../src/main.ts',
    '/src/main.ts',
    'SRC/main.ts',
    '',
    '__proto__',
    '\0',
    'a'.repeat(500),
  ])('says with 404 that there is no file %j', async (path) => {
    const folder = await share(APP);
    const { status, text } = await get(filePage(folder, path));
    expect(status).toBe(404);
    expect(text).toContain('File not found in this folder');
  });

  it('leads a link to a folder, with a slash or without, to the row of the folder', async () => {
    const folder = await share({ ...APP, 'README.md': 'See [docs](docs) and [more](./a%26b/).' });
    for (const path of ['src', 'src/', 'a&b']) {
      const { status, headers } = await fetch(filePage(folder, path), { redirect: 'manual' });
      const anchor = encodeURIComponent(`in-${path.replace('/', '')}`);
      expect([path, status, headers.get('location')]).toEqual([path, 303, `/s/${folder.id}#${anchor}`]);
    }
    const { page, close } = await visit(folder.url);
    await page.getByRole('link', { name: 'docs', exact: true }).click();
    await expect.poll(() => page.locator('summary:has(:target)').textContent()).toBe('docs');
    await close();
  });

  it('takes no parameter twice', async () => {
    const folder = await share(APP);
    expect((await get(`${folder.url}?file=a&file=b`)).text).toContain('README.md');
  });

  it('offers the download of all of it, the same ZIP, unless the owner allows none', async () => {
    const folder = await share(APP);
    const { page, close } = await visit(folder.url);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('small-app.zip');
    const media = await fetch(`${service.url}/api/media/${folder.id}`);
    expect(media.headers.get('content-type')).toBe('application/zip');
    expect(Buffer.from(await media.arrayBuffer()).length).toBe(folder.size);
    await close();
    await change(service, owner, folder.id, { allowDownload: false });
    expect((await get(folder.url)).text).not.toContain('Download all');
    const own = await fetch(folder.url, { headers: { authorization: `Bearer ${owner.apiKey}` } });
    expect(await own.text()).toContain('Download all');
  });

  it('of 2,000 files is made quickly, and each of its files too', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `dir ${index % 7}/sub ${index % 31}/file ${index}.ts`,
        `export const value${index} = '${'x'.repeat(500)}';\n`,
      ]),
    );
    const folder = await share(files);
    const spent = await cpuMsUntil(async () => {
      const { text } = await get(folder.url);
      expect(text.match(/class="file"/g)).toHaveLength(2_000);
      expect((await get(filePage(folder, 'dir 1/sub 1/file 1.ts'))).text).toContain('value1 ');
    });
    expect(spent).toBeLessThan(10_000);
  });

  it.each([390, 1280])('does not scroll sideways at %i pixels, whatever the names', async (width) => {
    const name = 'endless'.repeat(20);
    const folder = await share({
      [`${name}/${name.slice(0, 40)}.ts`]: `const a = '${name.repeat(20)}';`,
      [`${name}.txt`]: 'a',
    });
    for (const address of [folder.url, filePage(folder, `${name}/${name.slice(0, 40)}.ts`), filePage(folder, 'none')]) {
      const { page, close } = await visit(address, { viewport: { width, height: 800 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(await unaligned(page)).toEqual([]);
      await close();
    }
  });

  it('fails as a page when its stored bytes are damaged, and shows no wrong text', async () => {
    const folder = await share(APP);
    const [other] = [await share({ 'other.txt': 'x'.repeat(5_000) })];
    const objectOf = async (id: string) =>
      (await queryData<{ objectId: string }>(service.data, 'SELECT objectId FROM content WHERE id = ?', id))[0]
        ?.objectId ?? '';
    const wrong = await objectOf(other.id);
    await editRow(service, 'UPDATE content SET objectId = ? WHERE id = ?', `${wrong}-gone`, other.id);
    await editRow(service, 'UPDATE content SET objectId = ? WHERE id = ?', wrong, folder.id);
    const { status, text } = await get(folder.url);
    expect(status).toBe(500);
    expect(text).toContain('Something went wrong');
  });
});

describe('The page of a folder that must be opened first', () => {
  it('shows neither its tree nor a file before', async () => {
    const folder = await share(APP, { password: PASSWORD });
    // The form keeps the address that the visitor came with; it is all that differs.
    const pageAt = async (address: string, file: string) => {
      const { status, text } = await get(address);
      expect(status).toBe(200);
      expect(text).toContain('Password');
      const sameFile = text.replaceAll(file, 'FILE').replaceAll(encodeURIComponent(file), 'FILE');
      return sameFile.replace(/nonce="[\w-]+"/, 'nonce=""');
    };
    const whole = await pageAt(folder.url, 'FILE');
    const there = await pageAt(filePage(folder, 'src/main.ts'), 'src/main.ts');
    expect(there).toBe(await pageAt(filePage(folder, 'src/none.ts'), 'src/none.ts'));
    for (const word of ['small-app', 'README', 'main.ts', owner.username]) expect(whole + there).not.toContain(word);
  });
  it('shows both after the right password', async () => {
    const folder = await share(APP, { password: PASSWORD });
    const { page, close } = await visit(folder.url, { javaScriptEnabled: false });
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.locator('.tree').getByRole('link', { name: 'plan.md' }).click();
    await expect.poll(() => page.textContent('main')).toContain('Back to the code');
    await close();
  });
  it('is the ordinary 404 while it is private, for a file too', async () => {
    const unknown = await get(`${service.url}/s/nothing`);
    const folder = await share(APP, { visibility: 'private' });
    expect(await get(folder.url)).toEqual(unknown);
    expect(await get(filePage(folder, 'src/main.ts'))).toEqual(unknown);
  });
});

describe('One file of a folder', () => {
  const raw = ({ url }: Content, path: string, more = '') =>
    fetch(`${url.replace(/\?.*/, '')}/raw?file=${encodeURIComponent(path)}${more}`, { redirect: 'manual' });

  it('can be read raw and downloaded from its page, which names the author and has the whole folder', async () => {
    const folder = await share(APP);
    const { page, faults, close } = await visit(filePage(folder, "a&b/it's #1 100%.txt"), { javaScriptEnabled: false });
    const main = page.getByRole('main');
    expect(await main.textContent()).toContain(owner.username);
    expect(await main.getByRole('link', { name: 'Download all' }).getAttribute('href')).toContain('?download=1');
    const saved = page.waitForEvent('download');
    await main.getByRole('link', { name: 'Download', exact: true }).click();
    expect((await saved).suggestedFilename()).toMatch(/^it.s #1 100.\.txt$/);
    await main.getByRole('link', { name: 'Raw' }).click();
    await expect.poll(() => page.textContent('body')).toBe('odd\n');
    expect(faults).toEqual([]);
    await close();
  });
  it.each([
    [320, 'en-GB', 'light'],
    [390, 'ru-RU', 'dark'],
    [1280, 'en-GB', 'dark'],
    [1280, 'ru-RU', 'light'],
  ] as const)('has an accessible page that fits into %i pixels (%s, %s)', async (width, locale, colorScheme) => {
    const folder = await share(APP);
    const { page, close } = await visit(filePage(folder, 'docs/plan.md'), {
      ...{ viewport: { width, height: 800 }, locale, colorScheme },
    });
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await close();
  });
  it('is inert text as an answer', async () => {
    const { status, headers } = await raw(await share(APP), 'docs/plan.md');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
  it('is the one of exactly this name where another one differs only in how its letters are composed', async () => {
    const [composed, decomposed] = ['й.txt'.normalize('NFC'), 'й.txt'.normalize('NFD')];
    const both = await share({ [composed]: 'composed', [decomposed]: 'decomposed' });
    const one = await share({ [decomposed]: 'decomposed' });
    const texts = [both, one].flatMap((folder) =>
      [composed, decomposed].map(async (path) => (await raw(folder, path)).text()),
    );
    expect(await Promise.all(texts)).toEqual(['composed', 'decomposed', 'decomposed', 'decomposed']);
  });
  it('is not downloaded where the owner does not allow it, and is not there under another name', async () => {
    const folder = await share(APP);
    expect((await raw(folder, 'src/none.ts')).status).toBe(404);
    await change(service, owner, folder.id, { allowDownload: false });
    expect((await raw(folder, 'src/main.ts', '&download=1')).status).toBe(403);
    const { text } = await get(filePage(folder, 'src/main.ts'));
    expect(text).not.toContain('download=1');
  });
  it('that does not exist is a page with the title and the download of its folder', async () => {
    const folder = await share(APP, { title: 'Small app' });
    const { status, text } = await get(filePage(folder, 'src/none.ts'));
    expect(status).toBe(404);
    expect(text).toContain('<h1>Small app</h1>');
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain('Download all');
    const { page, close } = await visit(filePage(folder, 'src/none.ts'));
    expect(await axeViolations(page)).toEqual([]);
    await close();
  });
  it('is behind the lock, the button or the 404 of its folder', async () => {
    const unknown = await get(`${service.url}/s/nothing`);
    const hidden = await raw(await share(APP, { visibility: 'private' }), 'src/main.ts');
    expect({ status: hidden.status, text: await hidden.text() }).toEqual(unknown);
    for (const fields of [{ password: PASSWORD }, { oneTime: 'true' }]) {
      const folder = await share(APP, fields);
      const answer = await raw(folder, 'src/main.ts');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/s/${folder.id}?file=src%2Fmain.ts`]);
      expect(await answer.text()).not.toContain('const');
    }
  });
  it('does not tell a locked folder from other locked items, and uses up no link', async () => {
    const note = async (access: Readonly<Record<string, unknown>>): Promise<Content> => {
      const body = { text: 'a note', format: 'plain', ...access };
      const path = '/api/v1/pastes';
      return (await ask<Content>(service.url, { method: 'POST', path, key: owner.apiKey, body })).body;
    };
    const both = [
      [{ password: PASSWORD }, { password: PASSWORD }],
      [{ oneTime: true }, { oneTime: 'true' }],
    ] as const;
    for (const [access, fields] of both) {
      for (const item of [await share(APP, fields), await publish(service, owner, access), await note(access)]) {
        const { status, headers } = await raw(item, 'src/main.ts');
        expect([item.type, status, headers.get('location')]).toEqual([
          item.type,
          303,
          `/s/${item.id}?file=src%2Fmain.ts`,
        ]);
        expect((await get(item.url)).text).toContain(`action="/s/${item.id}/open"`);
      }
    }
  });
});

describe('The report link', () => {
  it('leads to the address of the operator with that of the page, and is absent without one', async () => {
    const folder = await share(APP);
    expect((await get(folder.url)).text).not.toContain('class="report"');
    const reportUrl = 'https://example.org/report?link={link}&from=share';
    const reporting = await startServer({ config: { web: { reportUrl } } });
    const { apiKey: key } = await reporting.user();
    const sending = { path: '/api/v1/folders', key, bytes: zipOf(APP), filename: 'a.zip', fields: {} } as const;
    const { url } = (await sendFile(reporting.url, sending)).body.content;
    expect((await get(url)).text).toContain(
      `href="https://example.org/report?link=${encodeURIComponent(url)}&amp;from=share"`,
    );
    await reporting.stop();
  });
});

describe('A tree', () => {
  const file = (path: string) => ({ path, size: 1, crc: 0, packed: 1, method: 'stored' as const, offset: 0 });
  it('has folders first, in natural order, and joins a folder that contains only another', () => {
    const tree = treeOf(['b10.txt', 'b9.txt', 'A.txt', 'z/y/x/1.txt', 'z/y/x/2.txt', 'm/1.txt', 'm/n/2.txt'].map(file));
    expect(tree.files.map(({ path }) => path)).toEqual(['A.txt', 'b9.txt', 'b10.txt']);
    expect(tree.folders.map(({ name, path }) => [name, path])).toEqual([
      ['m', 'm/'],
      ['z/y/x', 'z/y/x/'],
    ]);
    expect(tree.folders[1]?.files.map(({ path }) => path)).toEqual(['z/y/x/1.txt', 'z/y/x/2.txt']);
  });
});
