import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../../child.ts';
import { monotonicNow } from '../open-loop.ts';

/*
 * The merchants' servers, all of them: `/ok/…` responds with 200 at once, `/fail/…` 500, `/hang/…` never. Notes when each event
 * arrived first at an endpoint that responds. It responds to `counts`, `arrivals` and `reset`.
 */

let connections = 0;
let arrivals = new Map<string, number>();
let duplicates = 0;

function receive(req: IncomingMessage, res: ServerResponse): void {
  req.resume();
  req.once('end', () => {
    const path = req.url ?? '';
    if (path.startsWith('/hang/')) return;
    if (path.startsWith('/fail/')) return void res.writeHead(500).end();
    const id = String(req.headers['webhook-id']);
    if (arrivals.has(id)) duplicates += 1;
    else arrivals.set(id, monotonicNow());
    res.writeHead(200).end();
  });
}

function respond(question: 'counts' | 'arrivals' | 'reset'): unknown {
  if (question === 'arrivals') return [...arrivals];
  if (question === 'reset') [arrivals, duplicates] = [new Map(), 0];
  return { arrived: arrivals.size, duplicates, connections };
}

const receiver = createServer(receive);
receiver.keepAliveTimeout = 75_000;
receiver.on('connection', () => {
  connections += 1;
});
receiver.listen(0, '127.0.0.1', () => {
  announceReady({ origin: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` }, respond);
});
process.on('SIGTERM', () => process.exit(0));
