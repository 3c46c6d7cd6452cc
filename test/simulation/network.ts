/** Replaces `ServiceClient`: carries requests to the modelled service and loses, breaks, delays and forges them. */

import type { Budget } from '../../src/api/endpoints/endpoint.ts';
import { API, type ApiOperation, type ReplyOf } from '../../src/api/endpoints/endpoint-table.ts';
import { err, type Failure, failure, ok, type Result, type ServiceErrorCode } from '../../src/api/errors.ts';
import type { ServiceClient } from '../../src/engine/api-client/client.ts';
import { createRateLimiter, type RateHeaders, type RateLimiter } from '../../src/engine/api-client/rate-limiter.ts';
import { failureOfError, failureOfRefusal } from '../../src/engine/api-client/request-errors.ts';
import { TIMEOUTS } from '../../src/engine/api-client/request-timeout.ts';
import { retryAfterMs } from '../../src/engine/api-client/retry-after.ts';
import type { Clock, Random } from '../../src/engine/ports.ts';
import { type Asked, Refusal, type Reply, refusalOf } from './request-response.ts';
import type { Dice } from './rng.ts';
import type { SimulatedService } from './service.ts';
import { isPost } from './service-posts.ts';
import type { Life, Timeline } from './timeline.ts';

type Input = Parameters<ServiceClient['call']>[1];

export const FAULTS = [
  'lost request',
  'lost reply',
  'reset mid-body',
  'silence',
  'late',
  'captive page',
  'proxy error',
  'refusal',
] as const;
type Fault = (typeof FAULTS)[number];

interface Weather {
  /** How many requests of all meet a fault. */
  faults: number;
  isOnline: boolean;
  /** Milliseconds per part. */
  partMs: number;
}

export interface Sent {
  readonly at: number;
  readonly operation: ApiOperation;
  readonly key: string;
  readonly input: Input;
}

export interface SimulatedNetwork {
  readonly weather: Weather;
  open(life: Life, ports: { readonly clock: Clock; readonly random: Random }, key: string | null): ServiceClient;
  /** The other end has disconnected: null for the service, else a client. */
  hangUp(life: Life | null): void;
}

interface NetworkDeps {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly service: SimulatedService;
  readonly onSent: (sent: Sent) => void;
  readonly onFault: (fault: Fault) => void;
  readonly trace: (line: () => string) => void;
}

interface Wire {
  readonly life: Life;
  reset(): void;
  clientGone(): void;
}

const PAGE = '<html><body>Welcome to the hotel. Please sign in.</body></html>';
const REFUSALS: readonly [ServiceErrorCode, ...ServiceErrorCode[]] = [
  'RATE_LIMITED',
  'UPLOAD_USER_BUSY',
  'UPLOAD_SERVER_BUSY',
  'UPLOAD_STALLED',
  'INTERNAL',
];
/** Seconds, absent, a date, an absurd one, and one that means now. */
const RETRY_AFTERS = [undefined, '2', '30', 'Fri, 20 Nov 2026 12:00:30 GMT', '864000', '0'] as const;

const MAKES_WHOLE: ReadonlySet<ApiOperation> = new Set(['completeUpload', 'createFolder', 'uploadFile']);

export const createNetwork = ({ timeline, dice, service, ...observers }: NetworkDeps): SimulatedNetwork => {
  const weather: Weather = { faults: 0, isOnline: true, partMs: 50 };
  const wires = new Set<Wire>();

  type Answer = { readonly result: Result<unknown>; readonly rate: RateHeaders | 'silent' | 'lost' };

  const exchange = (life: Life, clock: Clock, asked: Asked, input: Input, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve) => {
      const { operation } = asked;
      const fault = dice.chance(weather.faults) ? dice.pick(FAULTS) : null;
      if (fault) observers.onFault(fault);
      observers.trace(() => `${life.name} > ${describe(asked)}${fault ? ` [${fault}]` : ''}`);
      let part: ReturnType<SimulatedService['beginPart']> | null = null;
      let isOver = false;

      const settle = (result: Result<unknown>, rate: RateHeaders | 'silent' | 'lost') => {
        if (isOver) return;
        isOver = true;
        wires.delete(wire);
        undoTimeout();
        signal.removeEventListener('abort', onCancel);
        observers.trace(() => `${life.name} < ${operation} ${result.ok ? 'ok' : result.error.code}`);
        resolve({ result, rate });
      };
      const fail = (reason: Failure) => settle(err(reason), 'lost');
      const broken = () => fail(failureOfError(Object.assign(new Error('reset'), { code: 'ECONNRESET' })));
      const soon = (what: () => void) => timeline.after(dice.between(2, 120), life, what);
      const onCancel = () => {
        letPartGo();
        fail(failure('CANCELLED', 'The request was cancelled.'));
      };
      /** The service notices immediately that a connection ended, or only when the body has stalled for long enough. */
      const letPartGo = () => {
        const held = part;
        part = null;
        if (held) timeline.after(dice.chance(0.5) ? 5 : 20_000, null, held.breakOff);
      };
      const wire: Wire = {
        life,
        reset: () => void soon(broken),
        clientGone() {
          isOver = true;
          letPartGo();
          wires.delete(wire);
        },
      };
      wires.add(wire);
      const timeoutMs = MAKES_WHOLE.has(operation) ? TIMEOUTS.completeMs : TIMEOUTS.replyMs;
      const undoTimeout = timeline.after(timeoutMs, life, () => {
        letPartGo();
        fail(failure('REPLY_TIMEOUT', 'The service stopped responding.'));
      });
      signal.addEventListener('abort', onCancel);
      if (signal.aborted) return onCancel();

      const deliver = (reply: Reply) => {
        if (fault === 'silence') return;
        if (fault === 'lost reply') return void soon(broken);
        soon(() => settle(judge(reply, clock), reply.rate ?? 'silent'));
      };
      const page = (status: number) => soon(() => settle(judgePage(status), 'silent'));
      const send = () => {
        // Nobody keeps a post for later: without its connection it is lost. What names an upload may come late.
        if (isOver && isPost(operation)) return;
        if (!service.isUp) return void soon(() => fail(unreachable('ECONNREFUSED')));
        if (operation !== 'putPart') return service.handle(asked, deliver);
        try {
          part = service.beginPart(asked);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return deliver(refusalOf(error));
        }
        const size = asked.bytes?.byteLength ?? 0;
        if (fault === 'reset mid-body') {
          input.onSent?.(Math.floor(size / 2));
          return void soon(() => {
            letPartGo();
            broken();
          });
        }
        timeline.after(weather.partMs * (0.5 + dice.number()), null, () => {
          const held = part;
          part = null;
          // The client has disconnected: the rest of the body never arrives.
          if (!held) return;
          input.onSent?.(size);
          held.arrive(deliver);
        });
      };

      if (!weather.isOnline) return void soon(() => fail(unreachable('ENOTFOUND')));
      switch (fault) {
        case 'lost request':
          return void soon(broken);
        case 'captive page':
          return void page(dice.pick([200, 403, 511]));
        case 'proxy error':
          return void page(dice.pick([502, 503, 504]));
        case 'refusal': {
          const retryAfter = dice.pick(RETRY_AFTERS);
          const refusal = refusalOf(new Refusal(dice.pick(REFUSALS), retryAfter));
          return void soon(() => settle(judge(refusal, clock), 'silent'));
        }
        case 'late':
          return void timeline.after(dice.between(1_000, 300_000), null, send);
        default:
          return void timeline.after(dice.between(1, 60), null, send);
      }
    });

  return {
    weather,
    hangUp(life) {
      for (const wire of [...wires]) {
        if (life === null) wire.reset();
        else if (wire.life === life) wire.clientGone();
      }
    },
    open(life, ports, firstKey) {
      const gate = createRateLimiter(ports);
      let key = firstKey ?? '';
      const ask = async (operation: ApiOperation, input: Input, signal: AbortSignal): Promise<Result<unknown>> => {
        const { budget } = API[operation];
        let form: Buffer | null = null;
        try {
          form = await formOf(input);
        } catch (error) {
          return err(failureOfError(error));
        }
        try {
          await gate.enter(budget, signal);
        } catch {
          return err(failure('CANCELLED', 'The request was cancelled before it was sent.'));
        }
        observers.onSent({ at: timeline.now(), operation, key, input });
        const asked: Asked = {
          operation,
          key,
          params: input.params ?? {},
          headers: input.headers ?? {},
          query: input.query ?? {},
          json: input.json,
          // A copy: what is on the wire does not follow a buffer that is used again.
          bytes: input.bytes ? Buffer.from(input.bytes) : form,
        };
        const { result, rate } = await exchange(life, ports.clock, asked, input, signal);
        pace(gate, budget, result, rate);
        return result;
      };
      return {
        server: 'https://model.test',
        async call<K extends ApiOperation>(operation: K, input: Input, signal: AbortSignal) {
          const used = key;
          const result = await ask(operation, input, signal);
          const isOutdated = !result.ok && result.error.status === 401 && used !== key;
          return (isOutdated ? await ask(operation, input, signal) : result) as Result<ReplyOf<K>>;
        },
        media: () => Promise.resolve(err(failure('NOT_FOUND', 'Nobody looks at anything here.'))),
        restsUntil: gate.restsUntil,
        // No answer has a date.
        serviceTime: (at) => Math.min(at, ports.clock.now()),
        rekey(next) {
          key = next;
        },
        reconnect() {},
        close: () => Promise.resolve(),
      };
    },
  };
};

/** Read whole, because a file that changes meanwhile breaks the request off. */
const formOf = async ({ form }: Input): Promise<Buffer | null> => {
  if (!form) return null;
  const slices: Buffer[] = [];
  for await (const { bytes } of form.slices(64)) slices.push(Buffer.from(bytes));
  return Buffer.concat(slices);
};

/** As the real client does it. */
const pace = (gate: RateLimiter, budget: Budget, result: Result<unknown>, rate: RateHeaders | 'silent' | 'lost') => {
  if (!result.ok && (result.error.code === 'RATE_LIMITED' || result.error.code === 'UPLOAD_SERVER_BUSY')) {
    gate.pause(result.error.afterMs ?? 0);
  }
  gate.done(budget, rate);
};

const unreachable = (code: string) => failureOfError(Object.assign(new Error(code), { code }));

const judge = ({ status, body, retryAfter }: Reply, clock: Clock): Result<unknown> => {
  if (status < 300) return ok(body ?? undefined);
  // The answer's own date is the service's, so a wrong clock here changes nothing; some answers have no date.
  return err(
    failureOfRefusal({
      status,
      text: JSON.stringify(body),
      afterMs: retryAfterMs(retryAfter, undefined, clock.now()),
    }),
  );
};

const judgePage = (status: number): Result<unknown> =>
  status === 200
    ? err(failure('NOT_THE_SERVICE', 'Something else responded instead of the service.', { status }))
    : err(failureOfRefusal({ status, text: PAGE, afterMs: null }));

const describe = ({ operation, params, headers }: Asked): string =>
  [operation, params['id'], params['index'], headers['idempotency-key']]
    .filter((part) => part !== undefined)
    .map((part) => String(part).slice(0, 14))
    .join(' ');
