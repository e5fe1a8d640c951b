// `npm run start:distributed`: every service as a process of its own, on the servers that the environment names; when it
// names none, on those of `npm run servers`, which are brought up first and go on running.
import { writeSync } from 'node:fs';
import { localServers } from '@parcelway/tools-servers/local-servers';

const named = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT'].some((name) => process.env[name] || process.env[`${name}_FILE`]);
const base = process.env.PARCELWAY_SERVERS_PORT_BASE;
const down = `${base ? `PARCELWAY_SERVERS_PORT_BASE=${base} ` : ''}npm run servers -- down`;
if (!named) Object.assign(process.env, localServers());

let stopping = false;
/** Says once that it stops, which takes some seconds, and what goes on running. */
function sayStop() {
  if (stopping) return;
  stopping = true;
  const servers = named ? '' : ` The servers still run; to end them and delete their data: ${down}`;
  try {
    writeSync(1, `\n  Parcelway stops.${servers}\n`);
  } catch {
    // The terminal is gone, which is no reason not to stop.
  }
}
process.on('SIGINT', sayStop).on('SIGTERM', sayStop);

await import(new URL('../../../dist/distributed.js', import.meta.url).href);
