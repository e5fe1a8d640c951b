import { setTimeout as sleep } from 'node:timers/promises';
import type { NamedDocument } from '@parcelway/contracts/document-url';
import { toAppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Documents } from './documents.ts';

/** Versions that wait. What does not fit, and what a restart drops, is rendered when somebody opens it. */
const MAX_WAITING = 10_000;
/** A version whose rendering is out is tried so often, with this pause. */
const MAX_TRIES = 30;
const PAUSE_MS = 2_000;

/** Renders documents before somebody opens them, one after the other and behind those that somebody waits for. */
export class Prerendering {
  readonly #documents: Pick<Documents, 'open'>;
  readonly #logger: Logger;
  readonly #pauseMs: number;
  readonly #waiting: Omit<NamedDocument, 'kind'>[] = [];
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;

  constructor(documents: Pick<Documents, 'open'>, logger: Logger, pauseMs = PAUSE_MS) {
    this.#documents = documents;
    this.#logger = logger;
    this.#pauseMs = pauseMs;
  }

  /** Renders a version later. */
  add(version: Omit<NamedDocument, 'kind'>): void {
    if (this.#waiting.length >= MAX_WAITING || this.#stopping.signal.aborted) return;
    this.#waiting.push(version);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Renders no further one. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined && !this.#stopping.signal.aborted; next = this.#waiting.shift()) {
      await this.#render(next);
    }
  }

  async #render(version: Omit<NamedDocument, 'kind'>): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      try {
        await this.#documents.open({ kind: 'label', ...version });
        return;
      } catch (error) {
        const { code } = toAppError(error);
        if (code !== '50301') {
          const { tenantId, forecastNo } = version;
          // 40403: it was corrected or deleted meanwhile.
          if (code !== '40403')
            this.#logger.warn({ err: error, tenant_id: tenantId, forecast_no: forecastNo }, 'Documents cannot be rendered');
          return;
        }
        await sleep(this.#pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
        if (this.#stopping.signal.aborted) return;
      }
    }
  }
}
