import type { SignedPush, SourceServer } from '@parcelway/harness/sources/source-server';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { dispatched, TENANT } from './samples.ts';
import { startTracking } from './service-driver.ts';

/** Id of a connection as long as those that the platform makes. */
export const LONG_ID = 'a-connection-that-nobody-guesses';

/** A connection as TRACKING_SOURCES has it, of the source under test. */
export interface TestConnection {
  readonly id?: string;
  readonly carriers?: readonly string[];
  readonly credentials?: Readonly<Record<string, string>>;
}

/** The tracking service, and a vendor that pushes to it. */
export type PushedService = Awaited<ReturnType<typeof startPushed>>;

/**
 * Starts the service with connections of one source.
 * @param connections by default one with {@link LONG_ID}, all carriers and the credentials of the server
 */
export async function startPushed(name: string, connections: (server: SourceServer) => readonly TestConnection[] = () => [{}]) {
  const server = await startSourceServer(name);
  const configured = connections(server).map(({ id = LONG_ID, carriers = ['*'], credentials = server.credentials }) => ({
    id,
    source: name,
    base_url: server.baseUrl,
    carriers,
    credentials,
    // Some vendors allow a call every five seconds: the clock of the tests goes faster than the turns of calls.
    limits: { requests_per_second: 1000 },
  }));
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const env = { TRACKING_SOURCES: JSON.stringify(configured), TRACKING_POLL_SCHEDULE: '30d:1s' };
  const driver = await startTracking(env, 'sandbox', clock);
  const statuses = (forecastNo = 'FC1'): readonly string[] =>
    driver.changes.filter(({ subject }) => subject === forecastNo).map(({ data }) => data.admin_status);
  return {
    server,
    driver,
    /** Moves the clock of the service on. */
    advance(ms: number): void {
      offset += ms;
    },
    /** Puts a parcel of the carrier `ups` under watch. */
    async dispatch(forecastNo: string, number: string): Promise<void> {
      await driver.publish('forecast.dispatched', dispatched(forecastNo, `PO-${forecastNo}`, number, 'ups'));
    },
    /** Sends a push to a connection, by default the first one. @returns status of the response */
    push: (push: SignedPush, { source = name, id = configured[0]?.id ?? '' }: { readonly source?: string; readonly id?: string } = {}) =>
      driver.push(source, id, push),
    /** Every status that was published of a forecast. */
    statuses,
    async untilStatus(status: string, forecastNo?: string): Promise<void> {
      await until(() => statuses(forecastNo).includes(status), { what: `the status ${status}` });
    },
    /** The newest status that is stored of a forecast; undefined when no parcel of it is known. */
    async stored(forecastNo: string): Promise<unknown> {
      const { body } = await driver.stored({ tenant_id: TENANT, forecast_no: forecastNo });
      return body.data?.['latest_status'];
    },
    /** How often the vendor was asked for parcels. */
    queries: () => server.calls.filter(({ kind }) => kind === 'query').length,
    async close(): Promise<void> {
      await driver.close();
      await server.close();
    },
  };
}
