/**
 * Collects metrics for Prometheus: requests, bytes, uploads, background work, the database, the object store, nodes
 * and the process. The server exposes them on a separate port, or on its main port with a token. No label contains a
 * user's name, id or address.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import manifest from '../../../package.json' with { type: 'json' };
import type { ServiceErrorCode } from '../../api/errors.ts';
import { freeBytes } from '../../base/node/free-bytes.ts';
import type { Clock } from '../clock-and-random.ts';
import { NODE_ROLES, type ServerConfig } from '../config/config.ts';
import type { ObserveDatabase, ServerDatabase } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { App } from '../http/app-type.ts';
import { ProblemError } from '../problem-details.ts';
import type { ObjectSink, ObjectStore, StagedObject } from '../storage/object-store-interface.ts';
import type { ObserveS3 } from '../storage/s3-client.ts';
import { runningNodes } from './node-registry.ts';

export interface Metrics {
  /** The same store; its operations are timed, and their errors counted. */
  timed(objects: ObjectStore): ObjectStore;
  /** A request to an S3 store has ended with this status, or `failed`. */
  readonly observeS3: ObserveS3;
  /** Of records in PostgreSQL. */
  readonly observeRecords: ObserveDatabase;
  /** Counts the requests and bytes of the app. Call it before the app is ready. */
  observe(app: App): void;
  /** A connection was refused. */
  refused(code: ServiceErrorCode): void;
  /** What is measured when the metrics are read. */
  sample(sources: Sources): void;
  /** `GET /metrics` of the app, with the configured token. */
  registerRoute(app: App): void;
  /** Serves `GET /metrics` at `metrics.host` and `metrics.port`; returns its address, or null without a port. */
  listen(): Promise<string | null>;
  close(): Promise<void>;
}

interface Sources {
  readonly records: ServerDatabase;
  readonly clock: Clock;
  /** The folder whose free space counts. */
  readonly data: string;
  readonly load: () => { readonly connections: number; readonly requests: number; readonly reads: number };
}

/** From a cached reply to a large part over a slow line. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const STORE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

interface MetricsOptions {
  readonly config: ServerConfig['metrics'];
  readonly node: string;
}

export const createMetrics = ({ config, node }: MetricsOptions): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `linkshot_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `linkshot_${name}`, help, labelNames: [...labelNames], registers });

  collectDefaultMetrics({ register: registry });
  gauge('node_info', 'The node and its version; always 1.', ['node', 'version']).set(
    { node, version: manifest.version },
    1,
  );
  const requests = new Histogram({
    name: 'linkshot_http_request_duration_seconds',
    help: 'Requests from their header to the end of the reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refusals = counter('http_refusals_total', 'Requests and connections refused, by error code.', ['code']);
  const store = new Histogram({
    name: 'linkshot_object_store_duration_seconds',
    help: 'Operations of the object store.',
    labelNames: ['operation'],
    buckets: STORE_SECONDS,
    registers,
  });
  const s3 = new Histogram({
    name: 'linkshot_s3_request_duration_seconds',
    help: 'Single requests to the S3 store until their answer; repetitions count on their own.',
    labelNames: ['operation', 'outcome'],
    buckets: STORE_SECONDS,
    registers,
  });
  const database = new Histogram({
    name: 'linkshot_database_duration_seconds',
    help: 'Statements and transactions at PostgreSQL, including the wait for a connection.',
    labelNames: ['kind', 'outcome'],
    buckets: STORE_SECONDS,
    registers,
  });
  const storeErrors = counter('object_store_errors_total', 'Failed operations of the object store.', ['operation']);

  const read = async () => ({ type: registry.contentType, text: await registry.metrics() });
  let closeListener = async (): Promise<void> => {};

  return {
    observeS3: (operation, outcome, seconds) => s3.observe({ operation, outcome }, seconds),
    observeRecords: (kind, seconds, isFailed) =>
      database.observe({ kind, outcome: isFailed ? 'failed' : 'ok' }, seconds),
    timed: (objects) => timedStore(objects, { store, storeErrors }),
    observe: (app) => {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'unknown';
        requests.observe(
          { method: request.method, route, status: String(reply.statusCode) },
          reply.elapsedTime / 1_000,
        );
        if (request.refusedWith !== null) refusals.inc({ code: request.refusedWith });
        done();
      });
      countBytes(app, registry);
    },
    refused: (code) => refusals.inc({ code }),
    sample: (sources) => sample(registry, sources),
    registerRoute: (app) => {
      const { token } = config;
      if (token === null) return;
      const options = { config: { unmetered: true } as const, schema: { hide: true } };
      app.get('/metrics', options, async (request, reply) => {
        if (!hasToken(request.headers.authorization, token)) {
          throw new ProblemError('AUTH_REQUIRED', 'The metrics need the configured token as a Bearer token.');
        }
        const { type, text } = await read();
        return reply.header('content-type', type).header('cache-control', 'no-store').send(text);
      });
    },
    listen: async () => {
      if (config.port === null) return null;
      const server = createHttpServer((request, response) => {
        if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
          response.writeHead(404).end();
          return;
        }
        read().then(
          ({ type, text }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
          () => response.writeHead(500).end(),
        );
      });
      server.listen(config.port, config.host);
      await once(server, 'listening');
      closeListener = async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      };
      const { port } = server.address() as AddressInfo;
      return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}/metrics`;
    },
    close: async () => {
      await closeListener();
      registry.clear();
    },
  };
};

/** Compares digests, so that the time of the comparison says nothing about the token. */
const hasToken = (authorization: string | undefined, token: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
};

/** Bytes of all connections: those that have ended, and those that are open when the metrics are read. */
const countBytes = (app: App, registry: Registry): void => {
  const open = new Set<Socket>();
  const ended = { received: 0, sent: 0 };
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      ended.received += socket.bytesRead;
      ended.sent += socket.bytesWritten;
    });
  });
  new Counter({
    name: 'linkshot_http_bytes_total',
    help: 'Bytes of HTTP received from and sent to clients, headers included.',
    labelNames: ['direction'],
    registers: [registry],
    collect() {
      this.reset();
      const sum = { ...ended };
      for (const socket of open) {
        sum.received += socket.bytesRead;
        sum.sent += socket.bytesWritten;
      }
      this.inc({ direction: 'received' }, sum.received);
      this.inc({ direction: 'sent' }, sum.sent);
    },
  });
};

/** Gauges whose values are looked up when the metrics are read. */
const sample = (registry: Registry, { records, clock, data, load }: Sources): void => {
  const registers = [registry];
  type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
  const gauge = (name: string, help: string, labelNames: readonly string[], values: () => Values | Promise<Values>) =>
    new Gauge({
      ...{ name: `linkshot_${name}`, help, labelNames: [...labelNames], registers },
      async collect() {
        this.reset();
        // While the records do not answer, the others are needed most.
        const found = await Promise.resolve(values()).catch((): Values => []);
        for (const [labels, value] of found) this.set(labels, value);
      },
    });

  interface Queue {
    readonly count: number;
    readonly oldest: number | null;
  }
  const queues = {
    processing: sql`SELECT count(*) AS "count", min("createdAt") AS "oldest" FROM "content"
      WHERE "mediaStatus" = 'PROCESSING'`,
    previews: sql`SELECT count(*) AS "count", min("createdAt") AS "oldest" FROM "content" WHERE "previewWanted" = 1`,
    deletions: sql`SELECT count(*) AS "count", min("dueAt") AS "oldest" FROM "deletions"`,
  };
  const ofQueues = (value: (queue: Queue) => number): Promise<Values> =>
    Promise.all(
      Object.entries(queues).map(async ([queue, query]) => {
        const found = await records.get<Queue>(query);
        return [{ queue }, value(found ?? { count: 0, oldest: null })] as const;
      }),
    );
  const ageOf = ({ oldest }: Queue): number => (oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1_000);

  gauge('uploads', 'Resumable uploads by state; ended ones for limits.idempotencySeconds.', ['state'], async () => {
    const rows = await records.all<{ state: string; count: number }>(
      sql`SELECT "state", count(*) AS "count" FROM "uploads" GROUP BY "state"`,
    );
    const counts = new Map(rows.map(({ state, count }) => [state, count]));
    const states = ['UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED'];
    return states.map((state) => [{ state }, counts.get(state) ?? 0]);
  });
  gauge('queue_length', 'Background jobs that wait or run.', ['queue'], () => ofQueues(({ count }) => count));
  gauge('queue_oldest_seconds', 'Age of the oldest background job; of deletions, since it is due.', ['queue'], () =>
    ofQueues(ageOf),
  );
  // Each try moves the time when a deletion is due, so one that fails for ever is never old.
  gauge('deletion_tries_max', 'Tries of the deletion that has failed most often.', [], async () => {
    const found = await records.get<{ tries: number | null }>(sql`SELECT max("attempts") AS "tries" FROM "deletions"`);
    return [[{}, found?.tries ?? 0]];
  });
  const { pool } = records;
  if (pool !== undefined) {
    gauge('database_connections', 'Connections to PostgreSQL.', ['state'], () => {
      const { connections, inUse } = pool();
      return [
        [{ state: 'used' }, inUse],
        [{ state: 'idle' }, connections - inUse],
      ];
    });
    gauge('nodes', 'Servers that run on the same records, by role.', ['role'], async () => {
      const nodes = await runningNodes(records);
      return NODE_ROLES.map((role) => [{ role }, nodes.filter((node) => node.role === role).length]);
    });
    gauge('database_waiting', 'Statements that wait for a connection to PostgreSQL.', [], () => [[{}, pool().waiting]]);
  }
  gauge('connections', 'Open connections.', [], () => [[{}, load().connections]]);
  gauge('requests_in_flight', 'Requests that are being served.', [], () => [[{}, load().requests]]);
  gauge('reads_open', 'Replies with media or files that are being sent.', [], () => [[{}, load().reads]]);
  gauge('data_free_bytes', 'Free space of the file system of the data folder.', [], async () => [
    [{}, await freeBytes(data)],
  ]);
};

interface StoreMetrics {
  readonly store: Histogram<'operation'>;
  readonly storeErrors: Counter<'operation'>;
}

const timedStore = (objects: ObjectStore, { store, storeErrors }: StoreMetrics): ObjectStore => {
  const timed = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await run();
    } catch (error) {
      storeErrors.inc({ operation });
      throw error;
    } finally {
      store.observe({ operation }, (performance.now() - began) / 1_000);
    }
  };
  const timedStaged = (staged: StagedObject): StagedObject => ({
    write: (lease, bytes) => timed('write', () => staged.write(lease, bytes)),
    sync: () => timed('sync', () => staged.sync()),
    close: () => staged.close(),
  });
  const timedSink = (sink: ObjectSink): ObjectSink => ({
    append: (bytes) => timed('write', () => sink.append(bytes)),
    finish: () => timed('finish', () => sink.finish()),
    close: () => sink.close(),
  });
  return {
    stage: (id, size) => timed('stage', () => objects.stage(id, size)),
    openStaged: async (id) => timedStaged(await timed('open', () => objects.openStaged(id))),
    stageStream: async (id) => timedSink(await timed('stage', () => objects.stageStream(id))),
    commit: (id) => timed('commit', () => objects.commit(id)),
    size: (id) => timed('size', () => objects.size(id)),
    // Its duration is the reader's.
    read: (id, range, signal) =>
      objects.read(id, range, signal).once('error', () => {
        if (!signal.aborted) storeErrors.inc({ operation: 'read' });
      }),
    isFetched: objects.isFetched,
    withSealedFile: async (id, use, signal) => {
      const opened = Promise.withResolvers<void>();
      timed('open', () => opened.promise).catch(() => {});
      try {
        return await objects.withSealedFile(
          id,
          (file) => {
            opened.resolve();
            return use(file);
          },
          signal,
        );
      } catch (error) {
        // Without effect once it is open.
        opened.reject(error);
        throw error;
      }
    },
    remove: (id) => timed('remove', () => objects.remove(id)),
    abandon: (id) => objects.abandon(id),
    probe: () => timed('probe', () => objects.probe()),
  };
};
