import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import type { SourceLimits, TrackingSource } from '../../sources/source.ts';
import type { Connection } from '../domain/connection.ts';
import { carrierUnavailable, UNCONFIGURED_RETRY_MS } from './circuit.ts';
import { ConnectedSource, type ConnectedSourceOptions } from './connected-source.ts';

/** Connections that are open at the same time; the one that was used longest ago is closed first. */
const MAX_OPEN = 1000;
/** No call of a connection lasts longer. */
const CLOSE_AFTER_MS = 60_000;

/** The limits of a source with those that its vendor grants an account in their place; one that is absent is the standard one. */
function grantedLimits(standard: SourceLimits, granted: ConnectionLimits | null): SourceLimits {
  const { requests_per_second, calls_per_day, fetches_per_parcel_per_day } = granted ?? {};
  return {
    ...standard,
    requestsPerSecond: requests_per_second ?? standard.requestsPerSecond,
    callsPerDay: calls_per_day ?? standard.callsPerDay,
    fetchesPerParcelPerDay: fetches_per_parcel_per_day ?? standard.fetchesPerParcelPerDay,
  };
}

/** Opens connections, by what they are made of: one that was changed is opened anew. */
export function openConnections(sources: ReadonlyMap<string, TrackingSource>, options: ConnectedSourceOptions) {
  const open = new Map<string, ConnectedSource>();
  return {
    of(connection: Connection): ConnectedSource {
      const { connectionId, source: name, baseUrl, limits, credentials } = connection;
      const key = JSON.stringify([connectionId, name, baseUrl, limits, credentials]);
      const source = sources.get(name);
      if (source === undefined) throw carrierUnavailable(UNCONFIGURED_RETRY_MS, new Error(`There is no source ${name}`));
      const opened = open.get(key) ?? new ConnectedSource({ ...source, limits: grantedLimits(source.limits, limits) }, connection, options);
      // Taken out and put back: the map is in the order of the last use.
      open.delete(key);
      open.set(key, opened);
      const [[oldest, unused] = []] = open;
      if (open.size > MAX_OPEN && oldest !== undefined && unused !== undefined) {
        open.delete(oldest);
        // Its calls may go on.
        setTimeout(() => void unused.close(), CLOSE_AFTER_MS).unref();
      }
      return opened;
    },
    async close(): Promise<void> {
      await Promise.all([...open.values()].map((one) => one.close()));
    },
  };
}
