/**
 * Connects this device without a typed key (API decisions 4): the user approves in the browser (RFC 8252 with PKCE) or
 * types a short code on any device (RFC 8628), whichever comes first. The verifier and the codes are never written to
 * disk; the new key is passed to `admit`, which stores it.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { ConnectedDevice, DeviceAuth } from '../../api/device-auth.ts';
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import { isSafeAddress, normaliseAddress } from '../../api/service-address.ts';
import { onAbort, orOnAbort } from '../../base/common/on-abort.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { Authorization } from '../../ipc/protocol/app-state.ts';
import type { ServiceClient } from '../api-client/client.ts';
import type { Clock, Opener } from '../ports.ts';
import type { OpenClient } from './account-session.ts';
import { type Answer, openLoopback } from './loopback-server.ts';

/** What the service and the user see of this device. */
interface DeviceInfo {
  readonly id: string;
  readonly name: string;
  readonly platform: string;
}

export interface AuthorizeDeps {
  readonly clock: Clock;
  readonly opener: Opener;
  readonly openClient: OpenClient;
  readonly device: DeviceInfo;
  readonly onChange: () => void;
  /** Accepts the new key; `server` as returned by `normaliseAddress`. */
  readonly admit: (server: string, connected: ConnectedDevice) => Promise<Result<void>>;
}

interface AuthorizeRequest {
  readonly server: string;
  readonly open: 'browser' | 'nothing';
}

export interface Authorizing {
  state(): Authorization | null;
  /**
   * Resolves as soon as there is a code to show. Errors: ADDRESS_INVALID, INSECURE_ADDRESS, CANCELLED, and those of the
   * service and the network.
   */
  start(request: AuthorizeRequest, signal: AbortSignal): Promise<Result<Authorization>>;
  /**
   * Waits for the outcome, or returns the last one. Errors: ACCESS_DENIED, EXPIRED_TOKEN, CANCELLED, INTERNAL where the
   * service could not approve, other refusals of the service, and those of `admit`.
   */
  waitForEnd(signal: AbortSignal): Promise<Result<void>>;
  /** Opens the approval page again. Errors: CANCELLED where no authorization is active, those of the opener. */
  reopen(): Promise<Result<void>>;
  cancel(): void;
}

interface Flow {
  readonly abort: AbortController;
  readonly end: Promise<Result<void>>;
  /** The approval page on this computer. */
  readonly page: string;
}

const SECOND = 1_000;
/** Upper bound of the polling time, whatever expiry the service returns. */
const LONGEST_MS = 3_600 * SECOND;
const CANCELLED = failure('CANCELLED', 'The connection was cancelled.');
const DENIED = failure('ACCESS_DENIED', 'The connection was denied.');
const NOT_APPROVED = failure('INTERNAL', 'The service could not approve the connection. Try again.');
const EXPIRED = failure('EXPIRED_TOKEN', 'The connection was not approved in time. Start it again.');

const lifetimeMs = ({ expiresIn }: DeviceAuth): number => Math.min(expiresIn * SECOND, LONGEST_MS);

export const createAuthorizing = (deps: AuthorizeDeps): Authorizing => {
  const { clock, device } = deps;
  let shown: Authorization | null = null;
  let flow: Flow | null = null;
  let starting: AbortController | null = null;
  let last: Result<void> = err(CANCELLED);

  const show = (next: Authorization | null) => {
    shown = next;
    deps.onChange();
  };

  const cancel = () => {
    starting?.abort();
    flow?.abort.abort();
    flow = null;
    last = err(CANCELLED);
    if (shown) show(null);
  };

  const endOf = (deviceAuth: DeviceAuth): number => clock.monotonic() + lifetimeMs(deviceAuth);

  /** Polls until the user has typed the code and decided. */
  const poll = async (client: ServiceClient, deviceAuth: DeviceAuth, signal: AbortSignal) => {
    const end = endOf(deviceAuth);
    let pause = deviceAuth.interval * SECOND;
    const json = { grantType: 'device_code', deviceCode: deviceAuth.deviceCode };
    for (;;) {
      await clock.sleep(pause, signal);
      if (clock.monotonic() >= end) return err(EXPIRED);
      const reply = await client.call('deviceToken', { json }, signal);
      if (reply.ok || isFinal(reply.error)) return reply;
      if (reply.error.code === 'SLOW_DOWN') pause += 5 * SECOND;
      pause = Math.max(pause, reply.error.afterMs ?? 0);
    }
  };

  /** Exchanges a code, which is valid once; repeats only a request that may not have arrived. */
  const exchange = async (client: ServiceClient, json: object, deviceAuth: DeviceAuth, signal: AbortSignal) => {
    const end = endOf(deviceAuth);
    const pauseMs = deviceAuth.interval * SECOND;
    for (;;) {
      const reply = await client.call('deviceToken', { json }, signal);
      if (reply.ok || isFinal(reply.error)) return reply;
      if (clock.monotonic() >= end) return err(EXPIRED);
      await clock.sleep(reply.error.afterMs ?? pauseMs, signal);
    }
  };

  /** The approval page with a loopback redirect, and its result; null where no port is available. */
  const approval = async (client: ServiceClient, deviceAuth: DeviceAuth, page: URL, signal: AbortSignal) => {
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(32).toString('base64url');
    const connected = Promise.withResolvers<Result<ConnectedDevice>>();
    const admitted = Promise.withResolvers<Result<void>>();
    const handleAnswer = async (answer: Answer) => {
      const json = { grantType: 'authorization_code', codeVerifier: verifier, redirectUri: loopback?.redirectUri };
      const reply =
        'code' in answer
          ? await exchange(client, { ...json, code: answer.code }, deviceAuth, signal)
          : err(answer.error === 'access_denied' ? DENIED : NOT_APPROVED);
      connected.resolve(reply);
      if (!reply.ok) return reply.error.code === 'ACCESS_DENIED' ? 'refused' : 'failed';
      return (await admitted.promise).ok ? 'connected' : 'failed';
    };
    const loopback = await openLoopback(state, (answer) => handleAnswer(answer));
    if (!loopback) return null;
    onAbort(signal, loopback.close);
    const parameters = {
      client_id: 'desktop',
      device_name: device.name,
      device_id: device.id,
      platform: device.platform,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      redirect_uri: loopback.redirectUri,
      state,
    };
    const address = new URL(page);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return { address, connected: connected.promise, taken: admitted.resolve, close: loopback.close };
  };

  return {
    state: () => shown,
    cancel,
    async start({ server: typed, open }, signal) {
      const server = normaliseAddress(typed);
      if (!server.ok) return server;
      cancel();
      const abort = new AbortController();
      starting = abort;
      const client = deps.openClient(server.value, null);
      const body = { deviceName: device.name, deviceId: device.id, platform: device.platform };
      const deviceAuth = await client.call('startDeviceAuth', { json: body }, AbortSignal.any([signal, abort.signal]));
      const site = deviceAuth.ok ? approvalPage(server.value, deviceAuth.value) : null;
      if (!deviceAuth.ok || !site) {
        await client.close();
        return deviceAuth.ok
          ? err(failure('NOT_THE_SERVICE', 'The service asked for approval on a page of another site.'))
          : deviceAuth;
      }
      const approvalFlow = await approval(client, deviceAuth.value, site, abort.signal);
      if (abort.signal.aborted) {
        approvalFlow?.close();
        await client.close();
        return err(CANCELLED);
      }
      const waiting: Authorization = {
        state: 'waiting',
        server: server.value,
        userCode: deviceAuth.value.userCode,
        address: deviceAuth.value.verificationUri,
        expiresAt: clock.now() + lifetimeMs(deviceAuth.value),
        browser: 'not-opened',
      };
      // Before the page is opened: a host opens only pages of services that the state names.
      show(waiting);

      const run = async (): Promise<Result<void>> => {
        const polled = poll(client, deviceAuth.value, abort.signal);
        const connected = await Promise.race([polled, ...(approvalFlow ? [approvalFlow.connected] : [])]);
        if (abort.signal.aborted) return err(CANCELLED);
        const admitted = connected.ok ? await deps.admit(server.value, connected.value) : connected;
        approvalFlow?.taken(admitted);
        return admitted;
      };
      const end = run()
        .catch((error: unknown) =>
          err(abort.signal.aborted ? CANCELLED : failureOfThrown(error, `Something went wrong in Linkshot: ${error}`)),
        )
        .then(async (outcome) => {
          if (flow === current) {
            flow = null;
            last = outcome;
            show(outcome.ok ? null : { state: 'failed', server: server.value, failure: outcome.error });
          }
          abort.abort();
          approvalFlow?.close();
          await client.close();
          return outcome;
        });
      const page = approvalFlow?.address.href ?? deviceAuth.value.verificationUriComplete;
      const current: Flow = { abort, end, page };
      flow = current;

      if (open === 'browser') {
        const opened = await deps.opener.open(page);
        if (opened.ok && shown === waiting) show({ ...waiting, browser: 'opened' });
      }
      return ok(shown ?? waiting);
    },
    async reopen() {
      if (!flow) return err(CANCELLED);
      const opened = await deps.opener.open(flow.page);
      if (opened.ok && shown?.state === 'waiting') show({ ...shown, browser: 'opened' });
      return opened;
    },
    async waitForEnd(signal) {
      const current = flow;
      if (!current) return last;
      return orOnAbort(current.end, signal, () => err(CANCELLED));
    },
  };
};

/** Whether polling again cannot return a key. */
const isFinal = ({ code }: Failure): boolean => {
  const retry = retryOf(code);
  return retry !== 'wait' && retry !== 'backoff';
};

/**
 * Returns the approval page, `/connect` of the web origin, only if it belongs to the service: on its own host, or local
 * where the service is local too. Only the page for the code shows the web origin; where that page is `/connect` or
 * below, what precedes it is a base path.
 */
const approvalPage = (server: string, { verificationUri, verificationUriComplete }: DeviceAuth): URL | null => {
  const configured = new URL(server);
  const isOurs = (address: string) => {
    const url = URL.parse(address);
    if (!url || !isSafeAddress(url)) return false;
    return configured.protocol === 'https:' ? url.protocol === 'https:' && url.host === configured.host : isLocal(url);
  };
  if (!isOurs(verificationUri) || !isOurs(verificationUriComplete)) return null;
  const { origin, pathname } = new URL(verificationUri);
  const base = /^(.*)\/connect(?:\/|$)/.exec(pathname)?.[1] ?? '';
  return new URL(`${origin}${base}/connect`);
};

/** A safe address that is not https is on this machine. */
const isLocal = ({ protocol }: URL): boolean => protocol === 'http:';
