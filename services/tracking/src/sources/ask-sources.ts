import { AppError } from '@parcelway/kernel/app-error';
import { FairTurns } from '@parcelway/kernel/fair-shares';
import type { Connection } from '../connections/domain/connection.ts';
import { ANY_CARRIER, normalCarrierCode } from '../connections/domain/connection.ts';
import type { FindConnections } from '../connections/find-connections.ts';
import type { CarrierNode } from '../domain/node.ts';
import { NotNow } from '../domain/not-now.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { AskOptions, SourceResponse, Sources } from '../ports.ts';
import { carrierUnavailable, UNCONFIGURED_RETRY_MS } from './carrier-unavailable.ts';
import type { OpenCarriers } from './carriers.ts';
import { type ConnectedSource, type ConnectedSourceOptions, connectSource, type ParcelReport } from './connected-source.ts';
import type { TrackingSource } from './source.ts';
import { nodesOfParcel } from './trace-nodes.ts';

/** What asking needs. */
export interface AskSourcesOptions extends ConnectedSourceOptions {
  readonly connections: Pick<FindConnections, 'serving'>;
  readonly sources: ReadonlyMap<string, TrackingSource>;
  /** The carriers of CARRIERS, and the simulated one. */
  readonly carriers: OpenCarriers;
}

/** The sources of an installation, closed at the end. */
export interface OpenSources extends Sources {
  /** The vendor behind a connection. */
  of(connection: Connection): ConnectedSource;
  close(): Promise<void>;
}

/** Connections that are open at the same time; the one that was used longest ago is closed first. */
const MAX_OPEN = 1000;
/** When sources that all refuse a number are asked again: vendors come to know a number some time after the dispatch. */
const REFUSED_MS = 3_600_000;
/** Polls of CARRIERS at the same time; one carrier has at most half of them. */
const POLLS_OF_CARRIERS = { capacity: 64, part: 1 };
/** Unknown codes that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 1000;

/** Open connections by what they are made of: one that was changed is opened anew. */
class OpenConnections {
  readonly #options: AskSourcesOptions;
  readonly #open = new Map<string, ConnectedSource>();

  constructor(options: AskSourcesOptions) {
    this.#options = options;
  }

  of(connection: Connection): ConnectedSource {
    const { connectionId, source: name, baseUrl, credentials } = connection;
    const key = JSON.stringify([connectionId, name, baseUrl, credentials]);
    const known = this.#open.get(key);
    // Taken out and put back: the map is in the order of the last use.
    this.#open.delete(key);
    const source = this.#options.sources.get(name);
    if (source === undefined) throw carrierUnavailable(UNCONFIGURED_RETRY_MS, new Error(`There is no source ${name}`));
    const opened = known ?? connectSource(source, connection, this.#options);
    this.#open.set(key, opened);
    const [[oldest, unused] = []] = this.#open;
    if (this.#open.size > MAX_OPEN && oldest !== undefined && unused !== undefined) {
      this.#open.delete(oldest);
      void unused.close();
    }
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((one) => one.close()));
  }
}

/** Connections in the order in which they are asked; `carriers` stands for CARRIERS, which go before the operator's connections for all carriers. */
function inOrder(serving: readonly Connection[], hasCarrier: boolean): readonly (Connection | 'carriers')[] {
  if (!hasCarrier) return serving;
  const first = serving.filter(({ tenantId, carriers }) => tenantId !== null || !isForAll(carriers));
  return [...first, 'carriers', ...serving.filter((one) => !first.includes(one))];
}

const isForAll = (carriers: readonly string[]): boolean => carriers.length === 1 && carriers[0] === ANY_CARRIER;

/** A source that is out, or that may not be called now, is no reason not to ask the next one. */
function mayAskAnother(error: unknown): boolean {
  return error instanceof NotNow ? error.maySkip : error instanceof AppError && error.code === '50001';
}

/** Opens the sources of an installation. */
export function openSources(options: AskSourcesOptions): OpenSources {
  const { connections, carriers, clock, logger } = options;
  const open = new OpenConnections(options);
  const polls = new FairTurns(POLLS_OF_CARRIERS);
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
    const { trace, registration } = report;
    logCodes(connected.source.name, trace.unknownCodes);
    const { nodes } = nodesOfParcel(trace, shipment.watchedSince, clock.now());
    if (connected.source.freshForMs === 0) return { nodes };
    return { nodes, report: { undated: trace.undated, registration } };
  };

  const askConnection = async (shipment: Shipment, connection: Connection, asked: AskOptions): Promise<SourceResponse | undefined> => {
    const connected = open.of(connection);
    const report = await connected.ask(shipment, asked);
    if (report.kind === 'trace') return responseOf(shipment, connected, report);
    logger.debug(
      { connection_id: connection.connectionId, forecast_no: shipment.forecastNo, reason: report.reason },
      'A source does not take a number',
    );
    return undefined;
  };

  /** Polls of one carrier take turns: it gets no more of them at the same time than it has connections. */
  const askCarrier = async (shipment: Shipment, { purpose, traceparent }: AskOptions): Promise<readonly CarrierNode[]> => {
    if (purpose === 'query') return carriers.track(shipment, traceparent);
    const holder = normalCarrierCode(shipment.carrierCode);
    await new Promise<void>((resolve) => void polls.wait(holder, resolve));
    try {
      return await carriers.track(shipment, traceparent);
    } finally {
      polls.give(holder);
    }
  };

  return {
    of: (connection) => open.of(connection),
    async ask(shipment, asked) {
      const serving = await connections.serving(shipment.tenantId, shipment.carrierCode);
      const order = inOrder(serving, carriers.has(shipment.carrierCode));
      let failure: unknown;
      for (const one of order) {
        try {
          if (one === 'carriers') return { nodes: await askCarrier(shipment, asked) };
          const response = await askConnection(shipment, one, asked);
          if (response !== undefined) return response;
        } catch (error) {
          if (!mayAskAnother(error)) throw error;
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      // Without any connection, the simulated carrier responds in the sandbox.
      if (order.length === 0) return { nodes: await askCarrier(shipment, asked) };
      await asked.note(0);
      throw new NotNow(clock.now() + REFUSED_MS, 'no source takes the number', { maySkip: false });
    },
    async release(shipment) {
      const { registration, tenantId, forecastNo } = shipment;
      if (registration === null) return;
      try {
        const serving = await connections.serving(tenantId, shipment.carrierCode);
        const connection = serving.find(({ connectionId }) => connectionId === registration.connectionId);
        if (connection !== undefined) await open.of(connection).unregister(shipment, registration);
      } catch (error) {
        logger.warn({ err: error, connection_id: registration.connectionId, forecast_no: forecastNo }, 'A registration could not be ended');
      }
    },
    async close() {
      await open.close();
    },
  };
}
