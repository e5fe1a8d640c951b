// `npm run start:distributed`: every service as a process of its own, on the servers that the environment names; when it
// names none, on those of `npm run servers`, which are brought up first and go on running.
import { localServers } from './local-servers.mjs';

const named = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT'].some((name) => process.env[name] || process.env[`${name}_FILE`]);
if (!named) Object.assign(process.env, localServers());
const { runDistributed } = await import('../services/all-in-one/dist/distributed.js');
await runDistributed(process.env);
