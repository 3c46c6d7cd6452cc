/** The key of this run reaches pages of the same origin that were opened without it, and no other page. */
import { describe, expect, it } from 'vitest';
import { type KeyPage, sharePageKey, takePageKey } from '../../src/ipc/client/page-key-storage.ts';
import type { HostConnectionState } from '../../src/ipc/client/transport.ts';
import { createWebSocketTransport } from '../../src/ipc/client/websocket-transport.ts';

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

const ADDRESS = 'http://127.0.0.1:41733/';

/** A page with this key in its session storage. */
const openPage = (port: Port, own: string) => {
  const stored = new Map(own === '' ? [] : [['linkshot-key', own]]);
  let reloads = 0;
  let reconnections = 0;
  let report: (link: HostConnectionState) => void = () => {};
  const location = {
    hash: '#note',
    pathname: '/',
    reload: () => {
      reloads += 1;
    },
  };
  const events = new EventTarget();
  const page = {
    location,
    history: {
      replaceState: (_state: unknown, _title: string, url: string) => {
        location.hash = new URL(url, ADDRESS).hash;
      },
    },
    sessionStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
    },
    addEventListener: events.addEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
  } as unknown as KeyPage;
  const key = takePageKey(page, () => {
    reconnections += 1;
  });
  sharePageKey(
    key,
    (listener) => {
      report = listener;
    },
    port,
  );
  return {
    link: (link: HostConnectionState) => report(link),
    openKey: (next: string) => {
      location.hash = `#key=${next}`;
      events.dispatchEvent(Object.assign(new Event('hashchange'), { oldURL: `${ADDRESS}#note` }));
    },
    hold: () => events.addEventListener('beforeunload', (event) => event.preventDefault()),
    seen: () => ({ reloads, reconnections, key: stored.get('linkshot-key') ?? null, at: location.hash }),
    current: key.current,
  };
};

const untouched = (key: string | null) => ({ reloads: 0, reconnections: 0, key, at: '#note' });
const reloaded = (key: string) => ({ ...untouched(key), reloads: 1 });

describe('the key of a run', () => {
  it('is given to a page that the host refuses, which then reloads with it', () => {
    const join = createOrigin();
    const [tab, installed] = [openPage(join(), 'k1'), openPage(join(), '')];
    tab.link('up');
    expect(installed.seen()).toEqual(untouched(null));
    installed.link('refused');
    expect(installed.seen()).toEqual(reloaded('k1'));
    expect(tab.seen()).toEqual(untouched('k1'));
  });

  it('is given to the tabs of an earlier start as soon as a page of this one is connected', () => {
    const join = createOrigin();
    const old = openPage(join(), 'k0');
    old.link('refused');
    expect(old.seen()).toEqual(untouched('k0'));
    openPage(join(), 'k1').link('up');
    expect(old.seen()).toEqual(reloaded('k1'));
  });

  it('connects a page that holds unsaved work without a reload, which then gives it to others', () => {
    const join = createOrigin();
    const old = openPage(join(), 'k0');
    old.hold();
    old.link('refused');
    openPage(join(), 'k1').link('up');
    expect(old.seen()).toEqual({ ...untouched('k1'), reconnections: 1 });
    expect(old.current()).toBe('k1');
    const alone = createOrigin();
    const [renewed, installed] = [openPage(alone(), 'k0'), openPage(alone(), '')];
    renewed.hold();
    renewed.openKey('k1');
    renewed.link('up');
    installed.link('refused');
    expect(installed.seen()).toEqual(reloaded('k1'));
  });

  it('is taken from its address in an open tab, which stays on its screen and loses no unsaved work', () => {
    const [idle, busy] = [openPage(createOrigin()(), 'k0'), openPage(createOrigin()(), 'k0')];
    idle.openKey('k1');
    expect(idle.seen()).toEqual(reloaded('k1'));
    busy.hold();
    busy.openKey('k1');
    expect(busy.seen()).toEqual({ ...untouched('k1'), reconnections: 1 });
  });

  it('changes no page that is connected or merely disconnected, and is given by none that is not connected', () => {
    const join = createOrigin();
    const pages = [openPage(join(), 'k0'), openPage(join(), 'k1'), openPage(join(), '')];
    const [refused, down, keyless] = pages;
    down?.link('down');
    refused?.link('refused');
    keyless?.link('refused');
    expect(pages.map(({ seen }) => seen())).toEqual([untouched('k0'), untouched('k1'), untouched(null)]);
  });
});

describe('a connection whose key is replaced', () => {
  /** A transport over sockets of a host that only answers as it is told. */
  const openTransport = () => {
    const sockets: EventTarget[] = [];
    const transport = createWebSocketTransport(() => {
      const socket = new EventTarget();
      sockets.push(socket);
      return socket as WebSocket;
    });
    const links: HostConnectionState[] = [];
    transport.onLink((link) => links.push(link));
    return {
      transport,
      links,
      count: () => sockets.length,
      refuse: () => sockets.at(-1)?.dispatchEvent(Object.assign(new Event('close'), { code: 4401 })),
      serve: () => {
        const data = JSON.stringify({ event: { type: 'library' } });
        sockets.at(-1)?.dispatchEvent(Object.assign(new Event('message'), { data }));
      },
    };
  };

  it('tries the new key once the host refuses the one with which it was connecting, and only then', () => {
    const { transport, links, count, refuse, serve } = openTransport();
    transport.retry();
    expect(count()).toBe(1);
    refuse();
    expect(count()).toBe(2);
    serve();
    expect(links).toEqual(['down', 'up']);
    refuse();
    expect([count(), links.at(-1)]).toEqual([2, 'refused']);
    transport.close();
  });

  it('stays refused with a new key that the host does not know either', () => {
    const { transport, links, count, refuse } = openTransport();
    transport.retry();
    refuse();
    refuse();
    expect([count(), links.at(-1)]).toEqual([2, 'refused']);
    transport.close();
  });
});
