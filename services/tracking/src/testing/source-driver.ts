import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import type { ServerRow } from '@parcelway/harness/sources/source-server';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { createCallLedgers } from '../accounts/call-ledgers.ts';
import type { Connection } from '../accounts/domain/connection.ts';
import type { SourceLimits, TrackingSource } from '../sources/source.ts';
import { trackingSources } from '../sources/source-list.ts';
import { type AskSourcesOptions, openSources } from '../watch/adapters/ask-sources.ts';
import { type CarrierNode, MAX_NODES } from '../watch/domain/node.ts';
import type { Shipment } from '../watch/domain/shipment.ts';
import type { AskOptions } from '../watch/domain/sources.ts';
import { createRefreshShipment } from '../watch/refresh-shipment.ts';
import type { TrackingStore } from '../watch/tracking-store.ts';
import { connectionOf, dispatchOf, TENANT } from './samples.ts';
import { openTrackingStore } from './tracking-store-driver.ts';

const HOUR_MS = 3_600_000;

/** Numbers that each source takes, a different one for each index up to 99,999. */
const numbers: Readonly<Record<string, (digits: string) => string>> = {
  '17track': (digits) => `RR1234${digits}CN`,
  easypost: (digits) => `EZ10000${digits}`,
  aftership: (digits) => `1Z12345E02052${digits}`,
  ups: (digits) => `1Z12345E02052${digits}`,
  dhl: (digits) => `003404341610940${digits}`,
  yunexpress: (digits) => `YT25123456789${digits}`,
};

/** A number that a source takes. */
export function numberOf(source: string, index = 1): string {
  const make = numbers[source];
  if (make === undefined) throw new Error(`There are no numbers of ${source}`);
  return make(String(index).padStart(5, '0'));
}

/** A row so many hours ago by the machine's clock, with the offset +08:00. */
export function rowAgo(stage: ServerRow['stage'], hours: number, given: Partial<ServerRow> = {}): ServerRow {
  const local = new Date(Date.now() - hours * HOUR_MS + 8 * HOUR_MS).toISOString();
  return { stage, at: local.replace(/\.\d+Z$/, '+08:00'), city: 'Shenzhen', country: 'CN', ...given };
}

/** How a driver is opened. */
export interface SourceDriverOptions {
  /** In the place of the source's own limits; default: no rate, no calls per day, no fetches per parcel. */
  readonly limits?: Partial<SourceLimits>;
  /** What the account is granted at first. */
  readonly granted?: ConnectionLimits;
  readonly timeoutMs?: number;
  readonly resetMs?: number;
  /** In the place of what the source declares. */
  readonly declared?: Partial<Pick<TrackingSource, 'registersFor' | 'registrationLastsMs' | 'register' | 'query'>>;
  /** True for the machine's clock, where limits are a matter of real time; default: a clock that the test moves. */
  readonly isReal?: boolean;
}

/** One source behind a connection, asked as the service asks it. */
export type SourceDriver = Awaited<ReturnType<typeof startSource>>;

interface Asking {
  readonly purpose?: AskOptions['purpose'];
  readonly tenantId?: string;
  /** Which of the processes asks; default 0. */
  readonly process?: number;
}

const UNLIMITED = { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null };

/** What names an error: the code of an AppError, or the name of the class. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.name;
}

/** The sources of processes, each opened when it is asked first. */
function processesOf(
  source: TrackingSource,
  current: () => Connection,
  store: TrackingStore,
  given: Pick<AskSourcesOptions, 'ledgers' | 'clock' | 'timeoutMs' | 'resetMs'>,
) {
  const open = () => {
    const sources = openSources({
      connections: { serving: async () => [current()] },
      detailsOf: () => ({}),
      shipments: store,
      record: store.record,
      sources: new Map([[source.name, source]]),
      environment: 'production',
      simulated: store,
      logger: silentLogger,
      telemetry: recordingTelemetry().of('tracking'),
      ...given,
    });
    return { sources, refresh: createRefreshShipment({ sources, record: store.record, clock: given.clock }) };
  };
  const opened = new Map<number, ReturnType<typeof open>>();
  return {
    of(index: number) {
      const process = opened.get(index) ?? open();
      opened.set(index, process);
      return process;
    },
    close: () => Promise.all([...opened.values()].map(({ sources }) => sources.close())),
  };
}

/** Starts the server of a source and asks it. */
export async function startSource(name: string, options: SourceDriverOptions = {}) {
  const { limits = UNLIMITED, granted = null, timeoutMs = 5000, resetMs, isReal = false, declared } = options;
  const own = trackingSources.get(name);
  if (own === undefined) throw new Error(`There is no source ${name}`);
  const registered: string[] = [];
  const changed = { ...own, ...declared };
  const source: TrackingSource = {
    ...changed,
    limits: { ...own.limits, ...limits },
    register(run, parcels) {
      registered.push(...parcels.map(({ trackingNumber }) => trackingNumber));
      return changed.register(run, parcels);
    },
  };
  const server = await startSourceServer(name);
  const { store, documents, close } = openTrackingStore();
  const ledgers = createCallLedgers(documents);
  const manual = new ManualClock(Date.now());
  const clock = isReal ? systemClock : manual;
  const { baseUrl, credentials } = server;
  const connection = connectionOf({ connectionId: 'con_test', source: name, baseUrl, limits: granted, credentials });
  let current = connection;
  const processes = processesOf(source, () => current, store, { ledgers, clock, timeoutMs, resetMs });
  const dispatchedAt = clock.now() - 24 * HOUR_MS;

  /** A parcel of a tenant, which is put under watch when it is not yet. */
  const shipment = async (trackingNumber: string, tenantId = TENANT): Promise<Shipment> => {
    const parcel = { tenantId, forecastNo: trackingNumber, trackingNumber, carrierCode: 'unknown' };
    await store.record([{ type: 'dispatched', ...dispatchOf({ ...parcel, at: dispatchedAt }) }]);
    return (await store.findShipments(tenantId, trackingNumber))[0] as Shipment;
  };
  const ask = async (number: string, { purpose = 'query', tenantId, process = 0 }: Asking = {}): Promise<readonly CarrierNode[]> => {
    const asked = await shipment(number, tenantId);
    await processes.of(process).refresh(asked, purpose);
    return store.history(asked, MAX_NODES);
  };
  const outcomeOf = async (number: string, given?: Asking): Promise<readonly string[] | string> => {
    try {
      return (await ask(number, given)).map(({ adminStatus }) => adminStatus);
    } catch (error) {
      return nameOf(error);
    }
  };
  return {
    source,
    server,
    /** Numbers of the parcels that were to be registered. */
    registered,
    clock: manual,
    connection,
    /** Changes what the account is granted. */
    grant: (given: ConnectionLimits | null): void => {
      current = { ...connection, limits: given };
    },
    ledgers,
    /** The connection as the first process has it open. */
    connected: () => processes.of(0).sources.of(current),
    /** Asks for a parcel of a tenant. @returns its nodes */
    ask,
    /** As {@link ask}: the admin_status of each node, or the code or name of the error. */
    outcomeOf,
    shipment,
    async close(): Promise<void> {
      await processes.close();
      await server.close();
      close();
    },
  };
}
