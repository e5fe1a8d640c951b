import type { ServiceName } from '@parcelway/contracts/service-name';
import { networkOf } from '../domain/client-network.ts';
import { pushRoute } from '../domain/route-table.ts';
import type { Exchange } from './exchange.ts';

/** The services behind the gateway. */
export interface Services {
  /**
   * Passes an admitted request to a service. Ends the exchange in every case.
   * @param path with query, well-formed
   */
  forward(exchange: Exchange, service: ServiceName, path: string): void;
  /** Sets the gauges of requests at the services. */
  report(): void;
  /** Resolves when no service of this process handles a request any more. */
  idle(): Promise<void>;
  /** Ends the connections to the services. Requests without a response fail. */
  close(): Promise<void>;
}

/** Whose share a request uses: the tenant or warehouse of its key, or else the network of its client. */
export function holderOf({ key, address }: Pick<Exchange, 'key' | 'address'>): string {
  return key?.holder ?? `network ${networkOf(address)}`;
}

/** The secret of a push. Some tracking sources send it in `X-Api-Key`, where it is not a key of ours. */
export function pushSecretOf({ head, route }: Exchange): string | undefined {
  return route === pushRoute && head.keyCount === 1 ? (head.apiKey ?? undefined) : undefined;
}

/** Reads a small body whole, then calls `done`. Never calls it when the client disconnects before. */
export function readSmallBody(exchange: Exchange, done: (body: Buffer) => void): void {
  const { req, head } = exchange;
  exchange.wantBody();
  const body = Buffer.allocUnsafe(head.contentLength as number);
  let filled = 0;
  // Unlike with 'data', the service can read the request again after `unshift`.
  const onReadable = (): void => {
    while (filled < body.length) {
      const chunk = req.read() as Buffer | null;
      if (chunk === null) return;
      filled += chunk.copy(body, filled);
    }
    req.off('readable', onReadable);
    done(body);
  };
  req.on('readable', onReadable);
}
