import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../../child-server.ts';
import { monotonicNow } from '../open-loop.ts';

/*
 * The merchants' servers, all of them: `/ok/…` responds with 200 at once, `/fail/…` 500, `/hang/…` never. Notes when each event
 * arrived first at an endpoint that responds, by the header that names it. A second port reports it, so that the
 * questions are not counted: GET /counts, GET /arrivals, POST /reset.
 * Argument: name of the header, lower case.
 */

const [idHeader = 'webhook-id'] = process.argv.slice(2);

let connections = 0;
let arrivals = new Map<string, number>();
let counts = { duplicates: 0, failed: 0, hung: 0, unnamed: 0 };

function takeDelivery(req: IncomingMessage, res: ServerResponse): void {
  const id = req.headers[idHeader];
  if (typeof id !== 'string') counts.unnamed += 1;
  else if (arrivals.has(id)) counts.duplicates += 1;
  else arrivals.set(id, monotonicNow());
  res.writeHead(200).end();
}

function receive(req: IncomingMessage, res: ServerResponse): void {
  req.resume();
  req.once('end', () => {
    const path = req.url ?? '';
    if (path.startsWith('/ok/')) takeDelivery(req, res);
    else if (path.startsWith('/fail/')) {
      counts.failed += 1;
      res.writeHead(500).end();
    } else counts.hung += 1;
  });
}

function report(req: IncomingMessage, res: ServerResponse): void {
  if (req.url === '/arrivals') return void res.end(JSON.stringify([...arrivals]));
  if (req.url === '/reset') {
    arrivals = new Map();
    counts = { duplicates: 0, failed: 0, hung: 0, unnamed: 0 };
  }
  res.end(JSON.stringify({ arrived: arrivals.size, connections, ...counts }));
}

const receiver = createServer(receive);
receiver.keepAliveTimeout = 75_000;
receiver.on('connection', () => {
  connections += 1;
});
const reporter = createServer(report);
receiver.listen(0, '127.0.0.1', () => {
  reporter.listen(0, '127.0.0.1', () => {
    const originOf = ({ port }: AddressInfo): string => `http://127.0.0.1:${port}`;
    announceReady({ origin: originOf(receiver.address() as AddressInfo), control: originOf(reporter.address() as AddressInfo) });
  });
});
process.on('SIGTERM', () => process.exit(0));
