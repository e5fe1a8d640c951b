import { createServiceServer, listen } from '@parcelway/http/server';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { createLogger } from '@parcelway/platform/logging';
import { webhookService } from '@parcelway/service-webhook/service';
import { announceReady } from '../../child-server.ts';
import { weighedMessage } from '../events.ts';
import { createEventLines } from './event-lines.ts';

/*
 * The embedded platform with the webhook service alone. What other services of the process would publish comes in over a port of its own,
 * a line each, and gets a response once it is durable on the log.
 * Argument: data directory.
 */

const [dataDirectory = ''] = process.argv.slice(2);
const environ = { ...process.env, DATA_DIR: dataDirectory, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const logger = createLogger('error');
const opened = await openEmbeddedPlatform(environ, 'https://localhost:8443', logger);
const service = await webhookService.open(opened.platform);
const api = createServiceServer(service.app, () => service.ready());
const apiPort = await listen(api, '127.0.0.1', 0);
await service.start();

const intake = createEventLines(async (event) => opened.platform.bus.publish([weighedMessage(event)]));
const intakePort = await listen(intake, '127.0.0.1', 0);
process.on('SIGTERM', () => {
  intake.close();
  api.close();
  api.closeAllConnections();
  service
    .stop()
    .then(() => opened.close())
    .finally(() => process.exit(0));
});
announceReady({ api: `http://127.0.0.1:${apiPort}`, intakePort });
