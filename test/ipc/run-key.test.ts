/** The key of this run reaches pages of the same origin that were opened without it, and no other page. */
import { describe, expect, it } from 'vitest';
import { sharePageKey } from '../../src/ipc/client/page-key-storage.ts';
import type { HostConnectionState } from '../../src/ipc/client/transport.ts';

type Port = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

/** A channel between pages of one origin, delivered at once. */
const createOrigin = () => {
  const ports: Port[] = [];
  return (): Port => {
    const port: Port = {
      onmessage: null,
      postMessage: (data: unknown) => {
        for (const other of ports)
          if (other !== port) other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent);
      },
    };
    ports.push(port);
    return port;
  };
};

const openPage = (port: Port, key: string) => {
  const stored = new Map<string, string>();
  let reloads = 0;
  let report: (link: HostConnectionState) => void = () => {};
  const page = {
    location: {
      reload: () => {
        reloads += 1;
      },
    } as Location,
    sessionStorage: { setItem: (name: string, value: string) => void stored.set(name, value) } as Storage,
  };
  sharePageKey(
    page,
    key,
    (listener) => {
      report = listener;
    },
    port,
  );
  return {
    link: (link: HostConnectionState) => report(link),
    seen: () => ({ reloads, key: stored.get('linkshot-key') ?? null }),
  };
};

const UNTOUCHED = { reloads: 0, key: null };

describe('the key of a run', () => {
  it('is given to a page that the host refuses, which then reloads with it', () => {
    const join = createOrigin();
    const [tab, installed] = [openPage(join(), 'k1'), openPage(join(), '')];
    tab.link('up');
    expect(installed.seen()).toEqual(UNTOUCHED);
    installed.link('refused');
    expect(installed.seen()).toEqual({ reloads: 1, key: 'k1' });
    expect(tab.seen()).toEqual(UNTOUCHED);
  });

  it('is given to the tabs of an earlier start as soon as a page of this one is connected', () => {
    const join = createOrigin();
    const old = openPage(join(), 'k0');
    old.link('refused');
    expect(old.seen()).toEqual(UNTOUCHED);
    openPage(join(), 'k1').link('up');
    expect(old.seen()).toEqual({ reloads: 1, key: 'k1' });
  });

  it('changes no page that is connected or merely disconnected, and is given by none that is not connected', () => {
    const join = createOrigin();
    const pages = [openPage(join(), 'k0'), openPage(join(), 'k1'), openPage(join(), '')];
    const [refused, down, keyless] = pages;
    down?.link('down');
    refused?.link('refused');
    keyless?.link('refused');
    expect(pages.map(({ seen }) => seen())).toEqual([UNTOUCHED, UNTOUCHED, UNTOUCHED]);
  });
});
