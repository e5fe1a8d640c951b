// Loaded by `node --import` before the platform: instruments its modules, and records when the program that started it says so.
import { register } from 'node:module';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { followHttp } from './follow-http.ts';
import { Tracer } from './tracer.ts';

/** Methods of the tracer that the program that started this process may call. */
export type Order = 'begin' | 'end' | 'rest' | 'activity';

/** Takes orders from the port PATHS_PORT, one a line; what the method returns goes back as a line of JSON. */
function takeOrders(tracer: Tracer): void {
  const socket = connect(Number(process.env['PATHS_PORT']), '127.0.0.1').unref();
  createInterface({ input: socket }).on('line', (line) => {
    const result = tracer[line as Order]();
    socket.write(`${JSON.stringify(result ?? null)}\n`);
  });
}

const tracer = new Tracer();
Object.assign(globalThis, { parcelwayTracer: tracer });
// Worker threads load their modules as they are: no path leads through them.
if (isMainThread) {
  register('./module-hooks.js', import.meta.url);
  takeOrders(tracer);
  followHttp(tracer);
}
