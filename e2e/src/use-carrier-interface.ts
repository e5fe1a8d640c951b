import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useOpened } from './use-stage.ts';

/** A server of the source `generic`. It says of each parcel that it is in transit. */
export interface CarrierInterface {
  /** Address with `{tracking_number}` in it. */
  readonly url: string;
  /** How often it was asked for a number. */
  asked(trackingNumber: string): number;
  /** Closes the connection of each request from now on. */
  fail(): void;
  close(): void;
}

async function start(): Promise<CarrierInterface> {
  const numbers: string[] = [];
  let isFailing = false;
  const server = createServer((req, res) => {
    const order_no = String(req.url).slice(1);
    numbers.push(order_no);
    if (isFailing) {
      req.socket.destroy();
      return;
    }
    const create_time = new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace('T', ' ');
    const nodes = [
      { order_no, status: 'In Transit', content: 'Departed', create_time: `${create_time}:00`, times: '(GMT+00:00)', address: 'Hamburg' },
    ];
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ nodes }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{tracking_number}`,
    asked: (trackingNumber) => numbers.filter((number) => number === trackingNumber).length,
    fail() {
      isFailing = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A carrier's interface for the tests of a file. Open it before the stage that calls it. */
export function useCarrierInterface(): CarrierInterface {
  return useOpened('carrier', start, (carrier) => carrier.close());
}
