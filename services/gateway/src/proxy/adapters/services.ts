import type { ServiceName } from '@parcelway/contracts/service-name';
import { networkOf } from '../domain/client-network.ts';
import type { Exchange } from './exchange.ts';

/** The services behind the gateway. */
export interface Services {
  /**
   * Passes an admitted request to a service. Ends the exchange in every case.
   * @param path with query, well-formed
   */
  forward(exchange: Exchange, service: ServiceName, path: string): void;
  /** Sets the gauges of what the services have been given, and may be given. */
  report(): void;
  /** Requests without a response fail. */
  close(): Promise<void>;
}

/** Who shares with others what a request takes: the tenant or warehouse of its key, or else the network of its client. */
export function holderOf({ key, address }: Pick<Exchange, 'key' | 'address'>): string {
  return key?.holder ?? `network ${networkOf(address)}`;
}
