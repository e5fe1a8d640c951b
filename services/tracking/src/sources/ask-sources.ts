import { AppError } from '@parcelway/kernel/app-error';
import { FairShares } from '@parcelway/kernel/fair-shares';
import type { Connection } from '../connections/domain/connection.ts';
import { normalCarrierCode, shownId } from '../connections/domain/connection.ts';
import type { FindConnections } from '../connections/find-connections.ts';
import { NotNow } from '../domain/not-now.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { AskOptions, ShipmentFinder, SourceResponse, Sources } from '../ports.ts';
import type { OpenCarriers } from './carriers.ts';
import type { ConnectedSource, ParcelReport } from './connected-source.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';
import { countUnserved } from './source-telemetry.ts';
import { nodesOfParcel } from './trace-nodes.ts';

/** What asking needs. */
export interface AskSourcesOptions extends OpenConnectionsOptions {
  readonly connections: Pick<FindConnections, 'serving'>;
  readonly shipments: ShipmentFinder;
  /** The carriers of CARRIERS, and the simulated one. */
  readonly carriers: OpenCarriers;
}

/** The sources of an installation, closed at the end. */
export interface OpenSources extends Sources {
  /** The vendor behind a connection. */
  of(connection: Connection): ConnectedSource;
  close(): Promise<void>;
}

/** When sources that all refuse a number are asked again: vendors come to know a number some time after the dispatch. */
const REFUSED_MS = 3_600_000;
/** When a poll comes again that found too many others of its carrier. */
const BUSY_MS = 5000;
/** Polls of CARRIERS at the same time; one carrier has at most half of them. */
const POLLS_OF_CARRIERS = { capacity: 64, part: 1 };
/** Unknown codes that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 1000;

/** Connections in the order in which they are asked; `carriers` stands for CARRIERS, which go before the operator's connections that do not name the carrier. */
function inOrder(serving: readonly Connection[], carrierCode: string, hasCarrier: boolean): readonly (Connection | 'carriers')[] {
  if (!hasCarrier) return serving;
  const code = normalCarrierCode(carrierCode);
  const first = serving.filter(({ tenantId, carriers }) => tenantId !== null || carriers.includes(code));
  return [...first, 'carriers', ...serving.filter((one) => !first.includes(one))];
}

/** A source that is out, or that may not be called now, is no reason not to ask the next one. */
function mayAskAnother(error: unknown): boolean {
  return error instanceof NotNow ? error.maySkip : error instanceof AppError && error.code === '50001';
}

/** Asks CARRIERS. */
function createAskCarrier({
  carriers,
  clock,
  telemetry,
}: AskSourcesOptions): (shipment: Shipment, asked: AskOptions) => Promise<SourceResponse> {
  const polls = new FairShares(POLLS_OF_CARRIERS);
  /** One carrier gets no more polls at the same time than it has connections. */
  return async (shipment, { purpose, traceparent }) => {
    if (purpose === 'query') return { nodes: await carriers.track(shipment, traceparent) };
    const holder = normalCarrierCode(shipment.carrierCode);
    if (!polls.take(holder)) throw new NotNow(clock.now() + BUSY_MS, 'too many polls of the carrier go on', { maySkip: false });
    try {
      return { nodes: await carriers.track(shipment, traceparent) };
    } catch (error) {
      countUnserved(telemetry, error);
      throw error;
    } finally {
      polls.give(holder);
    }
  };
}

/** Opens the sources of an installation. */
export function openSources(options: AskSourcesOptions): OpenSources {
  const { connections, carriers, clock, logger, telemetry } = options;
  // Rises from 0: an alert sees the first poll, too.
  telemetry.metrics.count('parcelway_tracking_unserved_polls_total', {}, 0);
  const open = new OpenConnections(options);
  const askCarrier = createAskCarrier(options);
  const logged = new Set<string>();

  const logCodes = (source: string, codes: readonly string[]): void => {
    for (const code of codes) {
      const id = `${source}/${code}`;
      if (logged.has(id) || logged.size >= MAX_REMEMBERED) continue;
      logged.add(id);
      logger.warn({ source, code }, 'The source uses a code that is not known yet; it counts as its main status');
    }
  };

  const responseOf = (shipment: Shipment, connected: ConnectedSource, report: Extract<ParcelReport, { kind: 'trace' }>): SourceResponse => {
    const { trace, registration, isPushExpected } = report;
    logCodes(connected.source.name, trace.unknownCodes);
    const found = nodesOfParcel(trace, shipment.dispatchedAt, clock.now());
    const { nodes } = found;
    connected.telemetry.trace(trace, found);
    if (connected.source.freshForMs === 0) return { nodes };
    const onNews = isPushExpected ? (): void => connected.telemetry.missedPush() : undefined;
    return { nodes, report: { undated: trace.undated, registration }, onNews };
  };

  const askConnection = async (shipment: Shipment, connection: Connection, asked: AskOptions): Promise<SourceResponse | undefined> => {
    const connected = open.of(connection);
    const report = await connected.ask(shipment, asked);
    if (report.kind === 'trace') return responseOf(shipment, connected, report);
    logger.debug(
      { connection_id: shownId(connection.connectionId), forecast_no: shipment.forecastNo, reason: report.reason },
      'A source does not take a number',
    );
    return undefined;
  };

  return {
    of: (connection) => open.of(connection),
    async ask(shipment, asked) {
      const serving = await connections.serving(shipment.tenantId, shipment.carrierCode);
      const order = inOrder(serving, shipment.carrierCode, carriers.has(shipment.carrierCode));
      let failure: unknown;
      for (const one of order) {
        try {
          if (one === 'carriers') return await askCarrier(shipment, asked);
          const response = await askConnection(shipment, one, asked);
          if (response !== undefined) return response;
        } catch (error) {
          if (!mayAskAnother(error)) throw error;
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      // Without any connection, the simulated carrier responds in the sandbox.
      if (order.length === 0) return askCarrier(shipment, asked);
      await asked.noteRefused();
      throw new NotNow(clock.now() + REFUSED_MS, 'no source takes the number', { maySkip: false });
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
    async close() {
      await open.close();
    },
  };
}
