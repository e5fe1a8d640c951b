import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import { carrierUnavailable, carrierUnserved, FAILED_RETRY_MS } from '../../accounts/adapters/circuit.ts';
import { type ConnectedSource, type ConnectedSourceOptions, NumberRejected } from '../../accounts/adapters/connected-source.ts';
import { openConnections } from '../../accounts/adapters/open-connections.ts';
import { countUnservedPolls } from '../../accounts/adapters/source-telemetry.ts';
import type { Connections } from '../../accounts/connections.ts';
import { type Connection, normalCarrierCode, shownId } from '../../accounts/domain/connection.ts';
import type { TrackingSource } from '../../sources/source.ts';
import type { Shipment } from '../domain/shipment.ts';
import { DOWN_PREFIX } from '../domain/simulated-node.ts';
import { type AskOptions, NotNow, type SourceResponse, type Sources } from '../domain/sources.ts';
import type { TrackingStore } from '../tracking-store.ts';

export interface AskSourcesOptions extends Omit<ConnectedSourceOptions, 'noteUnknown'> {
  readonly sources: ReadonlyMap<string, TrackingSource>;
  readonly connections: Pick<Connections, 'serving'>;
  readonly shipments: Pick<TrackingStore, 'findByNumber'>;
  readonly environment: Environment;
  /** What the sandbox's carrier has of a parcel. */
  readonly simulated: Pick<TrackingStore, 'simulatedNodes'>;
}

/** The sources of an installation, closed at the end. */
export interface OpenSources extends Sources {
  of(connection: Connection): ConnectedSource;
  close(): Promise<void>;
}

/** When sources that all refuse a number are asked again: vendors come to know a number some time after the dispatch. */
const REFUSED_MS = 3_600_000;
/** Carriers that are remembered, so that each is logged once, and likewise unknown codes. */
const MAX_REMEMBERED = 1000;

/** A source that is out, or that may not be called now, is no reason not to ask the next one. */
function mayAskAnother(error: unknown): boolean {
  return error instanceof NotNow ? error.maySkip : error instanceof AppError && error.code === '50001';
}

/** Responds for the carriers that no connection serves: in the sandbox the simulated one, whose nodes are those that simulations made. */
function createAskUnserved({ environment, simulated, logger, telemetry }: AskSourcesOptions) {
  const logged = new Set<string>();
  return async (shipment: Shipment, { purpose }: AskOptions): Promise<SourceResponse> => {
    if (environment === 'sandbox') {
      if (shipment.trackingNumber.startsWith(DOWN_PREFIX)) throw carrierUnavailable(FAILED_RETRY_MS);
      return { nodes: await simulated.simulatedNodes(shipment) };
    }
    const code = normalCarrierCode(shipment.carrierCode);
    if (!logged.has(code) && logged.size < MAX_REMEMBERED) {
      logged.add(code);
      logger.warn({ carrier_code: code }, 'Parcels are dispatched with a carrier that no connection serves; they cannot be tracked');
    }
    if (purpose === 'poll') countUnservedPolls(telemetry);
    throw carrierUnserved(code);
  };
}

/** Opens the sources of an installation. */
export function openSources(options: AskSourcesOptions): OpenSources {
  const { connections, clock, logger, telemetry } = options;
  // Rises from 0: an alert sees the first poll, too.
  countUnservedPolls(telemetry, 0);
  const askUnserved = createAskUnserved(options);
  const logged = new Set<string>();
  const noteUnknown = (source: string, codes: readonly string[]): void => {
    for (const code of codes) {
      const id = `${source}/${code}`;
      if (logged.has(id) || logged.size >= MAX_REMEMBERED) continue;
      logged.add(id);
      logger.warn({ source, code }, 'The source uses a code that is not known yet; it counts as its main status');
    }
  };
  const open = openConnections(options.sources, { ...options, noteUnknown });

  return {
    of: open.of,
    async ask(shipment, asked) {
      const serving = await connections.serving(shipment.tenantId, shipment.carrierCode);
      if (serving.length === 0) return askUnserved(shipment, asked);
      let failure: unknown;
      for (const connection of serving) {
        try {
          return await open.of(connection).ask(shipment, asked);
        } catch (error) {
          if (error instanceof NumberRejected) {
            const fields = { connection_id: shownId(connection.connectionId), forecast_no: shipment.forecastNo, reason: error.message };
            logger.debug(fields, 'A source does not take a number');
          } else if (mayAskAnother(error)) failure ??= error;
          else throw error;
        }
      }
      if (failure !== undefined) throw failure;
      // That is what is known of the parcel for a while.
      const now = clock.now();
      await options.record([{ type: 'asked', shipment, now, gapMs: 0, isRefused: true }]);
      throw new NotNow(now + REFUSED_MS, 'no source takes the number', { maySkip: false });
    },
    async release(shipment) {
      const { registration, tenantId, forecastNo } = shipment;
      if (registration?.isTaken !== true) return;
      try {
        // Another parcel under watch may have the same number, and need the registration.
        const others = await options.shipments.findByNumber(shipment.trackingNumber, 2);
        if (others.some((one) => one.tenantId !== tenantId || one.forecastNo !== forecastNo)) return;
        const serving = await connections.serving(tenantId, shipment.carrierCode);
        const connection = serving.find(({ connectionId }) => connectionId === registration.connectionId);
        if (connection !== undefined) await open.of(connection).unregister(shipment, registration);
      } catch (error) {
        logger.warn(
          { err: error, connection_id: shownId(registration.connectionId), forecast_no: forecastNo },
          'A registration could not be ended',
        );
      }
    },
    close: open.close,
  };
}
