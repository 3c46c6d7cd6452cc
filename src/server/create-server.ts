/**
 * Assembles the server: opens its data folder, database and object store, creates its modules with their dependencies,
 * and registers the routes of its role. Only `listen` opens a port, so that tests and the app can run the server in
 * their own process.
 */

import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { messageOf } from '../base/common/error-text.ts';
import { createAccountModule, createContentModule, registerSingleRequestRoutes } from './account-and-item-modules.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { type ApiKeys, createApiKeys } from './accounts/api-keys.ts';
import { type Clock, type Random, systemClock, systemRandom } from './clock-and-random.ts';
import { DEFAULT_CONFIG, nodeName, type ServerConfig } from './config/config.ts';
import { checkRole } from './config/read-config.ts';
import { lockDataFolder, placeOfFolder, prepareDataFolder, readNodeId, renewNodeId } from './data-folder.ts';
import { openDatabase } from './database/open-database.ts';
import { refuseForeignFiles } from './database/refuse-foreign-files.ts';
import { createSharedClock } from './database/shared-clock.ts';
import type { ServerDeps } from './deps.ts';
import { buildApp } from './fastify-app.ts';
import type { App } from './http/app-type.ts';
import { createConnectionLimits } from './http/connection-limits.ts';
import { createDownloadSlots } from './http/download-slots.ts';
import { createInFlight, paceLimits } from './http/in-flight-requests.ts';
import { createDeletionQueue } from './jobs/deletion-queue.ts';
import { createObjectSweep } from './jobs/object-sweep.ts';
import { createSlots, type Slots } from './limits/concurrency-slots.ts';
import { type Budgets, createBudgets } from './limits/request-budgets.ts';
import { createSharedSlots } from './limits/shared-concurrency-slots.ts';
import { createSharedBudgets } from './limits/shared-request-budgets.ts';
import type { Log } from './log.ts';
import { createInspector } from './media/media-inspector.ts';
import type { StartInspectorProcess } from './media/start-inspector-process.ts';
import { registerDocs } from './openapi/document.ts';
import { registerHealth } from './operations/health.ts';
import type { Metrics } from './operations/metrics.ts';
import { disownLostNodes, nodesThatMayWrite, registerNode } from './operations/node-registry.ts';
import { createPasswords } from './passwords.ts';
import { createKeyRing } from './storage/key-ring.ts';
import { openMasterKeys, registerKeys } from './storage/load-master-keys.ts';
import { holdsObjects } from './storage/local-objects.ts';
import { createObjectRows } from './storage/object-rows.ts';
import { openObjectStore } from './storage/open-object-store.ts';
import { registerUploadRoutes } from './uploads/upload-routes.ts';
import { createUploads, startUploadMaintenance } from './uploads/upload-store.ts';

export type { InspectorProcess, InspectorSettings, StartInspectorProcess } from './media/start-inspector-process.ts';
export { DEFAULT_CONFIG, type ServerConfig };

export interface ServerOptions {
  /** Folder of the database and the objects; created when missing. */
  readonly data: string;
  readonly config?: ServerConfig;
  /**
   * The master key in base64url, or several, newest first, from the environment; null or absent: in `config.keyFile`, or
   * beside the data folder.
   */
  readonly keyText?: string | null;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Runs without its npm packages: the API viewer, which reads files of its package, is left out. */
  readonly isBundled?: boolean;
  /** Starts the process that opens untrusted files, in a host that is not Node. */
  readonly startInspector?: StartInspectorProcess;
  /** Diagnostics, one line each with searchable fields; off by default. */
  readonly log?: Log;
}

interface Listening {
  /** The server's address, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The origin of share pages: the configured one, else `url`. */
  readonly webOrigin: string;
  /** With `metrics.port`. */
  readonly metricsUrl?: string;
}

interface ServerLoad {
  readonly connections: number;
  readonly requests: number;
  /** Active reads of media and item pages. */
  readonly reads: number;
}

export interface Server {
  readonly app: App;
  /** Port 0 picks any free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<Listening>;
  /** Lets requests in flight complete, replies 503 to new ones meanwhile, then stops. Idempotent. */
  close(): Promise<void>;
  /**
   * Resolves with a sentence for the operator when the server has stopped by itself, because it was silent for a while and
   * may not run beside the servers that were started meanwhile.
   */
  readonly refused: Promise<string>;
  /** What clients currently use. */
  load(): ServerLoad;
  /** For a host that embeds the server, and for the command line. */
  readonly accounts: Pick<Accounts, 'add' | 'byUsername' | 'ban' | 'unban' | 'setPlan' | 'setPassword'>;
  readonly keys: Pick<ApiKeys, 'add' | 'revoke'>;
}

/** Throws when the data folder is in use by another server or was written by a newer one. */
export const createServer = async (options: ServerOptions): Promise<Server> => {
  // Closed in reverse order: by `close`, or immediately when a later step of the setup fails.
  const parts = new AsyncDisposableStack();
  try {
    return await assemble(options, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
};

const assemble = async (options: ServerOptions, parts: AsyncDisposableStack): Promise<Server> => {
  const { config = DEFAULT_CONFIG, clock = systemClock, random = systemRandom, log = () => {} } = options;
  checkRole(config);
  const { role } = config.node;
  const isShared = config.database.url !== null;
  const folder = prepareDataFolder(options.data, log);
  const lock = lockDataFolder(folder.lock);
  parts.defer(lock.release);
  const metrics = await openMetrics(config);
  if (metrics !== null) parts.defer(metrics.close);
  const records = await openDatabase(config, folder, metrics?.observeRecords);
  parts.defer(records.close);
  const masters = openMasterKeys({
    data: options.data,
    objects: folder.objects,
    keyFile: config.keyFile,
    keyText: options.keyText ?? null,
    isShared,
    log,
  });
  await refuseForeignFiles(records, () => holdsObjects(folder.objects));
  const isElsewhere = config.objects.s3 !== null || isShared;
  const ring = createKeyRing(masters, random);
  const sharedClock = createSharedClock(clock);
  let node = readNodeId(folder.nodeId, random);
  const refusal = Promise.withResolvers<string>();
  const rowsOf = (owner: string) =>
    createObjectRows({ records, clock: sharedClock, node: owner, durable: isElsewhere });
  if (isShared) {
    const registration = await registerNode({
      records,
      self: { name: nodeName(config), role, version: manifest.version, keyIds: ring.ids },
      folder: {
        id: node,
        place: placeOfFolder(folder.lock),
        renew: () => renewNodeId(folder.nodeId, random),
      },
      hasLocalFiles: config.objects.s3 === null,
      clock: sharedClock,
      checkKeys: () => registerKeys(ring, rowsOf(node)),
      refused: refusal.resolve,
      log,
    });
    parts.defer(registration.end);
    node = registration.id;
  }
  const rows = rowsOf(node);
  await registerKeys(ring, rows);
  const store = await openObjectStore({
    ...{ config, folder, ring, rows, node, random, observe: metrics?.observeS3, records, sharedClock, log },
    clock: systemClock,
    isAlone: async () => !isShared || (await nodesThatMayWrite(records)).every(({ id }) => id === node),
  });
  parts.defer(store.close);
  const objects = metrics?.timed(store.objects) ?? store.objects;
  const runsJobs = role !== 'api';
  const deletions = createDeletionQueue({ records, objects, clock: sharedClock, log, node, runsJobs });
  parts.defer(deletions.close);
  // Durable rows are never lost. A file without one belongs to other records: the operator has named the wrong database.
  const files = isShared ? null : (store.files?.files ?? null);
  const restage = store.files?.restage ?? null;
  const disownLost = async () => {
    if (isShared) await disownLostNodes(records);
  };
  const sweep = createObjectSweep({ rows, deletions, files, restage, disownLost, runsJobs, clock: sharedClock, log });
  parts.defer(sweep.close);
  let origin = config.web.origin ?? 'http://127.0.0.1';
  const connections = createConnectionLimits(config);
  const inFlight = createInFlight(paceLimits(config), connections);
  const reading = createDownloadSlots(config, inFlight.unreadMs);
  const { budgets, slots } = await openLimits(isShared, { config, clock: sharedClock, random, records, node, log });
  const deps: ServerDeps = {
    config,
    clock,
    sharedClock,
    random,
    records,
    node,
    runsJobs,
    slots,
    objects,
    deletions,
    reading,
    webOrigin: () => origin,
    log,
  };

  const uploads = createUploads(deps);
  const { imageMegapixels } = config.server;
  const inspector = createInspector({
    ...{ video: config.video, imageMegapixels, limits: config.media, fairness: config.fairness, clock },
    ...(options.startInspector && { start: options.startInspector }),
  });
  parts.defer(inspector.close);
  const passwords = createPasswords({
    atOnce: config.limits.passwordChecksAtOnce,
    rememberedNetworks: config.limits.rememberedNetworks,
    clock,
  });
  const accountPart = createAccountModule(deps, passwords);
  parts.defer(accountPart.close);
  const content = createContentModule(deps, passwords, inspector);
  parts.defer(content.close);
  await uploads.reopenOwn();
  await sweep.start();
  parts.defer(await startUploadMaintenance(uploads, deps));

  const { app, drain } = buildApp(deps, { connections, inFlight, metrics, budgets });
  parts.defer(() => app.close());
  // A worker answers only what its operator asks.
  if (role !== 'worker') {
    accountPart.registerRoutes(app);
    const { publisher, contentOf } = content;
    registerUploadRoutes(app, deps, { store: uploads, publisher, inspector, contentOf });
    registerSingleRequestRoutes(app, deps, { publisher, inspector, contentOf });
    content.registerRoutes(app);
    registerDocs(app, deps, options.isBundled ? null : (await import('./openapi/viewer.ts')).registerViewer);
  }
  registerHealth(app, deps, drain.isStopping);
  metrics?.registerRoute(app);
  const load = () => ({ connections: connections.size(), requests: inFlight.size(), reads: reading.open() });
  metrics?.sample({ records, clock, data: options.data, load });
  await app.ready();
  content.start();
  void deletions.run();
  if (isShared && runsJobs) {
    const find = setInterval(() => {
      content.wake();
      void deletions.run();
    }, FIND_JOBS_EVERY_MS).unref();
    const tidy = setInterval(() => {
      Promise.all([budgets.sweep(), slots.sweep()]).catch((error: unknown) => {
        log(`Forgetting old limits failed and will be tried again: ${String(error)}`, { level: 'warn' });
      });
    }, FORGET_LIMITS_EVERY_MS).unref();
    parts.defer(() => {
      clearInterval(find);
      clearInterval(tidy);
    });
  }
  let isRefused = false;
  parts.defer(async () => {
    drain.announce();
    const { stopDelaySeconds } = config.node;
    if (stopDelaySeconds > 0 && !isRefused) await sleep(stopDelaySeconds * 1_000);
    await drain.begin(config.limits.drainSeconds * 1_000);
  });

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= parts.disposeAsync();
    return closing;
  };
  const refused = refusal.promise.then(async (sentence) => {
    log(sentence, { level: 'error' });
    isRefused = true;
    await close().catch((error: unknown) => log(`Stopping failed: ${String(error)}`, { level: 'error' }));
    return sentence;
  });
  return {
    app,
    refused,
    listen: async ({ host, port }) => {
      const metricsUrl = (await metrics?.listen().catch(failMetrics(config))) ?? null;
      await app.listen({ host, port });
      const url = addressOf(app.server.address());
      origin = config.web.origin ?? url;
      return { url, webOrigin: origin, ...(metricsUrl !== null && { metricsUrl }) };
    },
    load,
    close,
    accounts: createAccounts(deps),
    keys: createApiKeys(deps),
  };
};

/** Other nodes do not say that they have left a job. */
const FIND_JOBS_EVERY_MS = 2_000;
const FORGET_LIMITS_EVERY_MS = 60_000;

/** Limits over all nodes where there may be others, else those of this process. */
const openLimits = async (
  isShared: boolean,
  deps: Pick<ServerDeps, 'config' | 'clock' | 'random' | 'records' | 'node' | 'log'>,
): Promise<{ readonly budgets: Budgets; readonly slots: Slots }> => {
  const { config, clock, records } = deps;
  if (!isShared) return { budgets: createBudgets(config.limits, clock), slots: createSlots() };
  const slots = createSharedSlots(deps);
  await slots.releaseOwn();
  return { budgets: createSharedBudgets(records, config.limits, clock), slots };
};

/** Throws with a sentence for the operator. */
const failMetrics =
  ({ metrics: { host, port } }: ServerConfig) =>
  (error: unknown): never => {
    const why = messageOf(error);
    throw new Error(
      `The metrics cannot be served on ${host}, port ${port} (${why}). Set metrics.host and metrics.port to a free address.`,
    );
  };

/** Null: neither a port nor a token for the metrics is configured. The library is loaded only for them. */
const openMetrics = async (config: ServerConfig): Promise<Metrics | null> => {
  if (config.metrics.port === null && config.metrics.token === null) return null;
  const { createMetrics } = await import('./operations/metrics.ts');
  return createMetrics({ config: config.metrics, node: nodeName(config) });
};

const addressOf = (address: AddressInfo | string | null): string => {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host === '[::]' ? '[::1]' : host}:${address.port}`;
};
