// `npm run start:distributed`: every service as a process of its own, on the servers that the environment names; when it
// names none, on those of `npm run servers`, which are brought up first and go on running.
import { localServers } from './local-servers.mjs';

if (!process.env.MONGODB_URL && !process.env.KAFKA_BROKERS) Object.assign(process.env, localServers());
const { runDistributed } = await import('../services/all-in-one/dist/distributed.js');
await runDistributed(process.env);
