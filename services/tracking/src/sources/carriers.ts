import type { Environment } from '@parcelway/contracts/environment';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { Agent } from 'undici';
import type { Carrier, Carriers } from '../ports.ts';
import { watchCarrier } from './carrier-telemetry.ts';
import { carrierUnserved } from './carrier-unavailable.ts';
import type { CarrierEndpoints } from './generic/carrier-endpoints.ts';
import { createHttpCarrier } from './generic/http-carrier.ts';
import { type GuardedCarrier, guardCarrier } from './guarded-carrier.ts';

/** What the carriers of an installation are made of. */
export interface CarriersOptions {
  readonly environment: Environment;
  readonly endpoints: CarrierEndpoints;
  /** Responds in the sandbox for every carrier that is not configured. */
  readonly simulated: Carrier;
  /** Deadline of one call. */
  readonly timeoutMs: number;
  /** How long a failing carrier is left alone, in milliseconds; default 10 s. */
  readonly resetMs?: number | undefined;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
}

/** The carriers of an installation, closed at the end. */
export interface OpenCarriers extends Carriers {
  /** True for a carrier that is configured. */
  has(carrierCode: string): boolean;
  close(): Promise<void>;
}

const CONNECTIONS_PER_CARRIER = 32;
/** Unconfigured codes that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 1000;

/**
 * Opens a connection pool and a breaker for each configured carrier: none of them can hold up another. Those alone are
 * watched: the simulated one is part of the store, and the code of one that nobody has configured may be any text.
 */
export function openCarriers({ environment, endpoints, simulated, timeoutMs, resetMs, logger, telemetry }: CarriersOptions): OpenCarriers {
  const agents: Agent[] = [];
  const guarded = new Map<string, GuardedCarrier>();
  for (const [code, endpoint] of endpoints) {
    const dispatcher = new Agent({
      connections: CONNECTIONS_PER_CARRIER,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    agents.push(dispatcher);
    const watched = watchCarrier(telemetry, code, endpoint);
    guarded.set(
      code,
      guardCarrier(createHttpCarrier({ code, endpoint, dispatcher, logger }), { name: code, timeoutMs, resetMs, logger, watched }),
    );
  }
  const reported = new Set<string>();
  const refuse = (code: string): never => {
    if (!reported.has(code) && reported.size < MAX_REMEMBERED) {
      reported.add(code);
      logger.warn(
        { carrier_code: code },
        'Parcels are dispatched with a carrier that neither TRACKING_SOURCES nor CARRIERS names; they cannot be tracked',
      );
    }
    throw carrierUnserved(code);
  };
  return {
    has: (carrierCode) => guarded.has(carrierCode.toLowerCase()),
    async track(shipment, traceparent) {
      const code = shipment.carrierCode.toLowerCase();
      const carrier = guarded.get(code);
      if (carrier) return carrier.track(shipment, traceparent);
      return environment === 'sandbox' ? simulated.track(shipment, AbortSignal.timeout(timeoutMs)) : refuse(code);
    },
    async close() {
      for (const carrier of guarded.values()) carrier.close();
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}
