import { afterEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/api/ids.ts';
import { systemClock } from '../../../src/server/clock-and-random.ts';
import { DEFAULT_CONFIG, type ServerConfig } from '../../../src/server/config/config.ts';
import {
  createHtmlCache,
  createRenderer,
  type Renderer,
  type RenderTask,
} from '../../../src/server/rendering/renderer.ts';
import { longestBlockMs } from '../../support/cpu-time.ts';
import { hostileCode } from '../../support/hostile-texts.ts';

const logged: string[] = [];
let renderer: Renderer;
/**
 * Renders texts of one account under their keys, and those of others with `renderFor`. A busy machine may take seconds
 * for a text of one line.
 */
const open = (options: Partial<ServerConfig['rendering']> = {}) => {
  const { rendering, fairness } = DEFAULT_CONFIG;
  const limits = { ...rendering, secondsAtFirst: 20, seconds: 20, ...options };
  renderer = createRenderer({ log: (line) => void logged.push(line), clock: systemClock, limits, fairness });
  const renderFor = (owner: string, key: string, task: RenderTask) =>
    renderer.render({ accountId: owner as AccountId, key }, task);
  return {
    renderFor,
    render: (key: string, task: RenderTask) => renderFor('account', key, task),
    close: renderer.close,
  };
};
afterEach(() => renderer.close());

const hostile = (mark: number): RenderTask => ({ kind: 'code', grammar: 'csharp', text: hostileCode(mark) });
const code = (text: string): RenderTask => ({ kind: 'code', grammar: 'go', text });

describe('The renderer', () => {
  it('shows Markdown, code and plain text', async () => {
    const { render } = open();
    expect(await render('1', { kind: 'markdown', text: '# A', title: '', place: { kind: 'note' } })).toBe(
      '<h2 id="md-a">A</h2>\n',
    );
    expect(await render('2', code('func a()'))).toContain('<span class="hljs-keyword">func</span>');
    expect(await render('3', { kind: 'code', grammar: null, text: '<a>' })).toBe(
      '<pre class="code" tabindex="0"><code><span class="line" id="L1"><a href="#L1" aria-label="1"></a>&lt;a&gt;</span></code></pre>',
    );
    expect(await render('4', { kind: 'plain', text: '<a>\n' })).toBe('<pre class="plain" dir="auto">&lt;a&gt;\n</pre>');
  });

  it('shows a hostile text plain after its time, and does not block meanwhile', async () => {
    const { render } = open({ secondsAtFirst: 0.7 });
    let html = '';
    const blocked = await longestBlockMs(async () => {
      html = await render('hostile', hostile(1));
    });
    expect(blocked).toBeLessThan(300);
    expect(html).not.toContain('hljs');
    expect(html).toContain('<pre');
  });

  it('pays for a hostile text twice, the second time after all others, and renders others after it', async () => {
    const { render } = open({ secondsAtFirst: 1, seconds: 2 });
    /** A cached text needs no thread. */
    const isCached = async (): Promise<boolean> => {
      let isRendered = false;
      void render('hostile', hostile(1)).then(() => {
        isRendered = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      return isRendered;
    };
    await render('hostile', hostile(1));
    expect(await isCached()).toBe(false);
    // The second attempt, asked for again where a busy machine has started no thread in its time.
    await expect
      .poll(async () => {
        await render('hostile', hostile(1));
        return isCached();
      })
      .toBe(true);
    await expect.poll(() => render('good', code('func a()'))).toContain('hljs-keyword');
  });

  it('colours the notes of others while one account asks for hostile ones again and again', async () => {
    const { renderFor } = open({ secondsAtFirst: 10, seconds: 20 });
    const asked = Array.from({ length: 17 }, (_, index) => renderFor('hostile', `h${index}`, hostile(index)));
    // One that a busy machine has not rendered in its time is asked for again.
    for (let index = 0; index < 5; index += 1)
      await expect.poll(() => renderFor('other', `o${index}`, code('func a()'))).toContain('hljs-keyword');
    await renderer.close();
    for (const html of await Promise.all(asked)) expect(html).not.toContain('hljs');
  });

  it('gives each of many texts its own result, also around one that is ended', async () => {
    const { render } = open({ secondsAtFirst: 4, seconds: 10, waitingPerAccount: 100, waitingInAll: 100 });
    // One that a busy machine has not rendered in its time is asked for again, and then has its own result.
    const each = (letter: string) =>
      Promise.all(
        Array.from({ length: 10 }, (_, index) => `${letter}${index}`).map((name) =>
          expect.poll(() => render(name, code(`func ${name}()`))).toContain(`>${name}</span>`),
        ),
      );
    const before = each('a');
    const ended = render('hostile', hostile(1));
    await before;
    await ended;
    await each('b');
  });

  it('answers plain at once when too many wait, and does not remember that', async () => {
    const { render } = open({ waitingPerAccount: 1, secondsAtFirst: 1 });
    const working = render('h1', hostile(1));
    const waits = render('h2', hostile(2));
    expect(await render('good', code('func a()'))).not.toContain('hljs');
    await Promise.all([working, waits]);
    // The next thread may start slowly.
    await expect.poll(() => render('good', code('func a()'))).toContain('hljs-keyword');
  });

  it('renders a text once for all concurrent requests', async () => {
    const { render } = open();
    const [first, second] = [render('same', code('func a()')), render('same', code('func other()'))];
    expect(await first).toBe(await second);
  });

  it('ends with what waits shown plain', async () => {
    const { render, close } = open();
    const waiting = [render('1', hostile(1)), render('2', code('func a()'))];
    await close();
    for (const html of await Promise.all(waiting)) expect(html).not.toContain('hljs');
    expect(await render('3', code('func a()'))).not.toContain('hljs');
  });
});

describe('The cache of rendered texts', () => {
  it('forgets the one unused for longest, and never holds more than its limit', () => {
    const cache = createHtmlCache(10);
    cache.put('a', '12');
    for (const key of ['b', 'c', 'd', 'e']) {
      cache.put(key, '12');
      cache.get('a');
    }
    cache.put('f', '12');
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => cache.get(key))).toEqual([
      '12',
      undefined,
      '12',
      '12',
      '12',
      '12',
    ]);
  });
  it('does not keep what would push out most others', () => {
    const cache = createHtmlCache(8);
    cache.put('a', '123');
    expect(cache.get('a')).toBeUndefined();
  });
});
