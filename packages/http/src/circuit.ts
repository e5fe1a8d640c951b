import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import CircuitBreaker from 'opossum';

/** Times in milliseconds. */
export interface CircuitOptions {
  /** Failures are counted over this time. */
  readonly windowMs: number;
  /** How long the circuit stays open before a call probes. */
  readonly resetMs: number;
  /** Bound on the wait for a call; default: calls end by themselves. */
  readonly timeoutMs?: number;
  /** Calls at the same time. Those beyond count as failures. Default: no bound. */
  readonly maxCalls?: number;
  /** True for an error that says nothing against the other side. */
  readonly isHarmless?: ((error: unknown) => boolean) | undefined;
  /** Called when the circuit has opened, and when it has closed. */
  readonly onChange: (isOpen: boolean) => void;
}

/** Calls within the window from which on their failures count. */
const MIN_CALLS = 5;

type Call = () => Promise<unknown>;

/**
 * A circuit breaker. It opens when more than half of at least 5 calls fail, and then refuses calls. After `resetMs`, one call probes: it closes the circuit or
 * opens it again.
 */
export class Circuit {
  readonly #breaker: CircuitBreaker<[Call], unknown>;

  constructor({ windowMs, resetMs, timeoutMs, maxCalls, isHarmless, onChange }: CircuitOptions) {
    this.#breaker = new CircuitBreaker((call: Call) => call(), {
      timeout: timeoutMs ?? false,
      resetTimeout: resetMs,
      errorThresholdPercentage: 50,
      volumeThreshold: MIN_CALLS,
      rollingCountTimeout: windowMs,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      ...(isHarmless && { errorFilter: isHarmless }),
      ...(maxCalls !== undefined && { capacity: maxCalls }),
    });
    // After a probe that fails it opens again, which changes nothing for anybody else.
    let isOpen = false;
    const change = (opens: boolean) => () => {
      if (opens !== isOpen) onChange(opens);
      isOpen = opens;
    };
    this.#breaker.on('open', change(true)).on('close', change(false));
  }

  /** True while calls are refused. */
  get isOpen(): boolean {
    return !this.#breaker.closed && !this.#breaker.pendingClose;
  }

  /** Makes a call. Rejects with its error, or with that of opossum when it is refused. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    // The breaker counts the calls that it refuses: after a long outage it would hardly open again.
    if (this.isOpen) throw Object.assign(new Error('Breaker is open'), { code: 'EOPENBREAKER' });
    return (await this.#breaker.fire(call)) as T;
  }

  /** Stops its timers. Later calls are refused. */
  close(): void {
    this.#breaker.shutdown();
  }
}

/** Longer than the gateway waits for a response, so that a silence is counted along with what was sent before it. */
const SERVICE_WINDOW_MS = 10_000;
const SERVICE_RESET_MS = 1000;

/**
 * The circuit of one service of another process. Any response, whatever its status, shows that the service works. A call that fails says nothing against it
 * when another one got a response meanwhile, or when the caller has cancelled it (`AbortError`).
 */
export class ServiceCircuit {
  readonly #service: ServiceName;
  readonly #circuit: Circuit;
  readonly #harmless = new WeakSet<object>();
  #respondedAt = Number.NEGATIVE_INFINITY;

  constructor(service: ServiceName, logger: Logger) {
    this.#service = service;
    this.#circuit = new Circuit({
      windowMs: SERVICE_WINDOW_MS,
      resetMs: SERVICE_RESET_MS,
      isHarmless: (error) => this.#harmless.has(error as object),
      onChange: (isOpen) => {
        if (isOpen) logger.warn({ service }, 'The service does not respond; calls to it are refused for a while');
        else logger.info({ service }, 'The service responds again');
      },
    });
  }

  /** @param at by the clock of `performance` */
  hasRespondedSince(at: number): boolean {
    return this.#respondedAt >= at;
  }

  /** @throws AppError 50301 while calls are refused */
  assertClosed(): void {
    if (this.#circuit.isOpen) throw AppError.unavailable(`The ${this.#service} service does not respond; try again`);
  }

  /** Makes a call once. @param call resolves when the service has begun to respond @throws AppError 50301 without a call while the circuit is open, and what the call throws */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.assertClosed();
    const startedAt = performance.now();
    return this.#circuit.run(async () => {
      try {
        const response = await call();
        this.#respondedAt = performance.now();
        return response;
      } catch (error) {
        if (this.hasRespondedSince(startedAt) || (error as Error).name === 'AbortError') this.#harmless.add(error as Error);
        throw error;
      }
    });
  }

  close(): void {
    this.#circuit.close();
  }
}
