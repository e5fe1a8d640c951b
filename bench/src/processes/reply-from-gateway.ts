import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import replyFrom from '@fastify/reply-from';
import Fastify from 'fastify';
import { announceReady } from '../child-server.ts';

/*
 * A gateway as one would write it with fastify and its proxy plugin: TLS, one key, one upstream.
 * Arguments: certificate, key, API key, origin of the upstream.
 */

const [certFile = '', keyFile = '', apiKey = '', upstream = ''] = process.argv.slice(2);

const app = Fastify({ https: { cert: readFileSync(certFile), key: readFileSync(keyFile) }, logger: false });
app.addHook('onRequest', async (req, reply) => {
  if (req.headers['x-api-key'] !== apiKey) await reply.code(401).send({ code: '40003' });
});
await app.register(replyFrom, { base: upstream, undici: { connections: 256, pipelining: 1 } });
app.get('/*', (req, reply) => reply.from(req.url));
await app.listen({ host: '127.0.0.1', port: 0 });
announceReady({ origin: `https://localhost:${(app.server.address() as AddressInfo).port}` });
