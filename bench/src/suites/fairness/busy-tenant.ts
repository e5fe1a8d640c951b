import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild, endWithRun } from '../../child-server.ts';

const PROGRAM = fileURLToPath(new URL('../../processes/busy-tenant.js', import.meta.url));

/** Who asks for as much as it can, and for how long. */
export interface BusyTenant {
  readonly origins: readonly string[];
  /** PEM to trust. */
  readonly ca: string;
  readonly key: string;
  readonly warehouseKey: string;
  readonly warehouseCode: string;
  readonly milliseconds: number;
}

/** What it got. */
export interface BusyTenantResult {
  readonly submitted: number;
  readonly perSecond: number;
  readonly weighed: number;
}

/** The process of a busy tenant, and the receiver of its webhooks. */
export class BusyTenantProcess {
  /** Origin of its receiver. */
  readonly origin: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.origin = origin;
  }

  /** Starts it; it does nothing yet. @throws Error when it ends before its receiver listens */
  static async start(): Promise<BusyTenantProcess> {
    const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    endWithRun(child);
    const { origin } = await replyOf<{ origin: string }>(child);
    return new BusyTenantProcess(child, origin);
  }

  /** Has it load the platform. */
  run(tenant: BusyTenant): Promise<BusyTenantResult> {
    const reply = replyOf<BusyTenantResult>(this.#child);
    this.#child.send(tenant);
    return reply;
  }

  /** Webhooks that its receiver has got, repetitions not counted. */
  async received(): Promise<number> {
    const reply = replyOf<{ received: number }>(this.#child);
    this.#child.send('received');
    return (await reply).received;
  }

  async end(): Promise<void> {
    await endChild(this.#child);
  }
}

/** The next message of the process. @throws Error when it ends instead */
async function replyOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const reply = once(child, 'message', { signal: ended.signal });
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`The busy tenant ended with ${code ?? signal}`);
  });
  try {
    const [message] = await Promise.race([reply, exit]);
    return message as T;
  } finally {
    ended.abort();
    await Promise.allSettled([reply, exit]);
  }
}
