import { AsyncLocalStorage } from 'node:async_hooks';

/** A recorded call of a function. */
export interface Call {
  /** Source file, such as `services/forecast/src/submit-forecast.ts`. */
  readonly file: string;
  /** Function with what it is in, such as `Relay.#loop`. */
  readonly name: string;
  /** The chain of calls that it belongs to; see {@link Tracer}. */
  readonly chain: number;
  /** True when the call before it in its chain was of another file, or when there was none. */
  readonly isEntry: boolean;
  /** True when its chain serves a request that came in during the recording; false for background work. */
  readonly isOfRequest: boolean;
}

/** What a recording holds. */
export interface Recording {
  /** In the order of time, without chains that did nothing but what happens at rest. */
  readonly calls: readonly Call[];
  /** How many of the calls came before the first response was sent; null while none was. */
  readonly callsUntilResponse: number | null;
}

/** What goes on during a recording. */
export interface Activity {
  readonly isResponseSent: boolean;
  /** Milliseconds since the last call of a function that is not called at rest. */
  readonly quietMs: number;
}

/** Calls that follow one another, with the waits between them. */
export interface Chain {
  readonly id: number;
  /** The recording in which the request came that it serves; 0 for background work. */
  readonly requestOf: number;
  /** File of its last call, and the recording of that call. */
  last: { readonly file: string; readonly recording: number };
  /** An async function of it waits: whoever calls next runs beside that function. */
  isSuspended: boolean;
}

interface RecordedCall extends Call {
  readonly isAtRest: boolean;
}

/**
 * Records the calls of instrumented functions, in chains. A chain follows the async context, so what runs concurrently does not
 * mix. It forks when its code goes on while an async function of it waits: the branches of a `Promise.all`, a loop that nobody
 * awaits, the callback of a timer. A fork continues from the last call of its chain.
 */
export class Tracer {
  readonly #context = new AsyncLocalStorage<Chain>();
  readonly #atRest = new Set<string>();
  #chains = 0;
  #recordings = 0;
  #calls: RecordedCall[] = [];
  #callsUntilResponse: number | null = null;
  #isRecording = false;
  #busyAt = 0;

  /** Begins a recording; the one before is forgotten. */
  begin(): void {
    this.#recordings += 1;
    this.#calls = [];
    this.#callsUntilResponse = null;
    this.#isRecording = true;
  }

  /** Ends the recording. */
  end(): Recording {
    this.#isRecording = false;
    const busy = new Set(this.#calls.filter((call) => !call.isAtRest).map((call) => call.chain));
    const untilResponse = this.#calls.slice(0, this.#callsUntilResponse ?? 0);
    const isKept = ({ chain, isOfRequest }: Call): boolean => isOfRequest || busy.has(chain);
    return {
      calls: this.#calls.filter(isKept).map(({ isAtRest, ...call }) => call),
      callsUntilResponse: this.#callsUntilResponse === null ? null : untilResponse.filter(isKept).length,
    };
  }

  /** Ends the recording of a process at rest: what it called then, such as polls, is no work. */
  rest(): void {
    this.#isRecording = false;
    for (const { file, name } of this.#calls) this.#atRest.add(`${file} ${name}`);
  }

  activity(): Activity {
    return { isResponseSent: this.#callsUntilResponse !== null, quietMs: performance.now() - this.#busyAt };
  }

  /** Instrumented code: a function begins. */
  enter(file: string, name: string): void {
    let chain = this.#context.getStore();
    if (chain === undefined || chain.isSuspended) {
      chain = this.#fork(chain);
      this.#context.enterWith(chain);
    }
    const isAtRest = this.#atRest.has(`${file} ${name}`);
    if (!isAtRest) this.#busyAt = performance.now();
    if (!this.#isRecording) return;
    const isEntry = chain.last.file !== file || chain.last.recording !== this.#recordings;
    this.#calls.push({ file, name, chain: chain.id, isEntry, isOfRequest: chain.requestOf === this.#recordings, isAtRest });
    chain.last = { file, recording: this.#recordings };
  }

  /** Instrumented code: an async function is about to wait for a value. @returns the value */
  suspended<T>(value: T): T {
    const chain = this.#context.getStore();
    if (chain !== undefined) chain.isSuspended = true;
    return value;
  }

  /** Instrumented code: an async function goes on with a value. @returns the value */
  resumed<T>(value: T): T {
    const chain = this.#context.getStore();
    if (chain !== undefined) chain.isSuspended = false;
    return value;
  }

  /** A server receives a request: a chain begins. @param caller chain of a client in this process; undefined for one outside */
  requestReceived(caller: Chain | undefined): void {
    const requestOf = caller === undefined ? this.#recordings : caller.requestOf;
    this.#context.enterWith({ ...this.#fork(caller), requestOf });
  }

  /** A server has sent a response to a client outside. */
  responseSent(): void {
    this.#callsUntilResponse ??= this.#calls.length;
  }

  /** The chain of the code that runs now. */
  current(): Chain | undefined {
    return this.#context.getStore();
  }

  /** Runs what continues a chain. */
  follow<T>(chain: Chain, run: () => T): T {
    return this.#context.run(chain, run);
  }

  #fork(chain: Chain | undefined): Chain {
    this.#chains += 1;
    const { requestOf, last } = chain ?? { requestOf: 0, last: { file: '', recording: 0 } };
    return { id: this.#chains, requestOf, last, isSuspended: false };
  }
}
