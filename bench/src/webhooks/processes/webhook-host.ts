import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServiceServer, listen } from '@parcelway/http/server';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { createLogger } from '@parcelway/platform/logging';
import { webhookService } from '@parcelway/service-webhook/service';
import { sqliteOperations } from '@parcelway/sqlite/operations';
import { announceReady } from '../../child-server.ts';
import { weighedMessage } from '../events.ts';
import type { BenchEvent } from '../side.ts';

/*
 * The embedded platform with the webhook service alone. What other services would publish comes in over a port of its own,
 * one event a request, and is answered 202 once it is durable on the log: POST /events. GET /operations tells of the stores.
 * With PROFILE_DIR set it writes a CPU profile when it ends. Argument: data directory.
 */

if (process.env['PROFILE_DIR'] !== undefined) await import('../../processes/profile-hook.ts');
const [dataDirectory = ''] = process.argv.slice(2);
const environ = { ...process.env, DATA_DIR: dataDirectory, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const logger = createLogger('error');
const opened = await openEmbeddedPlatform(environ, 'https://localhost:8443', logger);
const service = await webhookService.open(opened.platform);
const api = createServiceServer(service.app, () => service.ready());
const apiPort = await listen(api, '127.0.0.1', 0);
await service.start();

async function readBody(req: IncomingMessage): Promise<string> {
  let body = '';
  req.setEncoding('utf8');
  for await (const chunk of req) body += chunk as string;
  return body;
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/operations') {
    res.end(JSON.stringify(sqliteOperations()));
    return;
  }
  const event = JSON.parse(await readBody(req)) as BenchEvent;
  await opened.platform.bus.publish([weighedMessage(event)]);
  res.writeHead(202).end();
}

const intake = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
});
intake.keepAliveTimeout = 75_000;
const intakePort = await listen(intake, '127.0.0.1', 0);
process.on('SIGTERM', () => {
  intake.close();
  intake.closeAllConnections();
  api.close();
  api.closeAllConnections();
  service
    .stop()
    .then(() => opened.close())
    .finally(() => process.exit(0));
});
announceReady({ api: `http://127.0.0.1:${apiPort}`, intake: `http://127.0.0.1:${intakePort}` });
