import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';

/** Limits on what one client may hold, as `parcelway_client_limits_total` names them. */
export type ClientLimit =
  | 'read_stall'
  | 'connections'
  | 'requests_under_way'
  | 'upload_streams'
  | 'unread_responses'
  | 'pipelined_requests';

/** A limit is logged this often at most, with what came in between. */
const LOG_EVERY_MS = 10_000;

interface Logged {
  at: number;
  /** Times since the last log line. */
  silent: number;
}

/** Counts clients that reach a limit, and logs it: the first at once, then one line with the number of all others every 10 s. */
export class ClientLimits {
  readonly #logger: Logger;
  readonly #telemetry: ServiceTelemetry;
  readonly #logged = new Map<ClientLimit, Logged>();

  constructor(logger: Logger, telemetry: ServiceTelemetry) {
    this.#logger = logger;
    this.#telemetry = telemetry;
  }

  /** A client has reached a limit. @param client its address, tenant or warehouse */
  reached(limit: ClientLimit, client: string): void {
    this.#telemetry.metrics.count('parcelway_client_limits_total', { limit });
    const now = performance.now();
    const logged = this.#logged.get(limit) ?? { at: Number.NEGATIVE_INFINITY, silent: 0 };
    this.#logged.set(limit, logged);
    logged.silent += 1;
    if (now - logged.at < LOG_EVERY_MS) return;
    this.#logger.warn({ limit, client, times: logged.silent }, 'A client reached a limit');
    logged.at = now;
    logged.silent = 0;
  }
}
