import { AppError } from '@parcelway/kernel/app-error';
import { parseUrl } from '@parcelway/kernel/parse-url';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import type { CarrierEndpoint } from './generic/carrier-endpoints.ts';

/** What came of a question to a carrier. */
type Outcome = 'ok' | 'failed' | 'timeout' | 'rejected';

/** A carrier whose calls are counted, timed and traced. */
export interface WatchedCarrier {
  /** Runs a question to the carrier as a span of the trace that caused it. */
  follow<T>(traceparent: string | undefined, ask: () => Promise<T>): Promise<T>;
  /** Whether the carrier is left alone, or probed after that. */
  setOpen(isOpen: boolean): void;
}

/** How opossum names its refusals: the circuit is open, or as many calls wait as may. The carrier was not asked. */
const REJECTED: ReadonlySet<unknown> = new Set(['EOPENBREAKER', 'ESEMLOCKED']);
/** How the end of waiting is named by opossum, and by undici of a connection, of headers and of a body. */
const TIMED_OUT: ReadonlySet<unknown> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** What an error of a call means. */
export function outcomeOfCall(error: unknown): Outcome {
  // Outwardly every failure is a 50001: the cause distinguishes them.
  const { code, name } = ((error instanceof AppError ? error.cause : error) ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (REJECTED.has(code)) return 'rejected';
  return TIMED_OUT.has(code) || name === 'TimeoutError' ? 'timeout' : 'failed';
}

/** Host of a carrier's address, without the place of the number: that follows the host. */
function hostOf(url: string): string | undefined {
  return parseUrl(url.replaceAll('{tracking_number}', ''))?.hostname;
}

/**
 * Watches a configured carrier. Neither metrics nor spans have anything of a parcel, or the token, in them.
 * @param code as configured: one of a few, and none that a parcel brings along
 */
export function watchCarrier({ metrics, tracer }: ServiceTelemetry, code: string, endpoint: CarrierEndpoint): WatchedCarrier {
  const known = { 'parcelway.carrier': code, 'server.address': hostOf(endpoint.url) };
  const setOpen = (isOpen: boolean): void => metrics.set('parcelway_carrier_circuit_open', { carrier: code }, isOpen ? 1 : 0);
  setOpen(false);
  return {
    setOpen,
    async follow(traceparent, ask) {
      const startedAt = performance.now();
      const span = tracer.start('ask carrier', { kind: 'client', parent: traceparent, attributes: known });
      const end = (outcome: Outcome): void => {
        metrics.observe('parcelway_carrier_request_duration_seconds', { carrier: code, outcome }, (performance.now() - startedAt) / 1000);
        span.end({ attributes: { 'parcelway.outcome': outcome }, error: outcome === 'ok' ? undefined : outcome });
      };
      try {
        const response = await ask();
        end('ok');
        return response;
      } catch (error) {
        end(outcomeOfCall(error));
        throw error;
      }
    },
  };
}
