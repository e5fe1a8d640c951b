import { createServiceServer, listen } from '@parcelway/http/server';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { createLogger } from '@parcelway/platform/logging';
import { webhookService } from '@parcelway/service-webhook/service';
import { announceReady } from '../../child.ts';
import { type BenchEvent, weighedMessage } from '../sides/side.ts';

/*
 * The embedded platform with the webhook service alone. The parent process sends the events that other services would publish, and gets a response
 * once they are durable on the log.
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

process.on('SIGTERM', () => {
  api.close();
  api.closeAllConnections();
  service
    .stop()
    .then(() => opened.close())
    .finally(() => process.exit(0));
});
announceReady({ api: `http://127.0.0.1:${apiPort}` }, (event: BenchEvent) => opened.platform.bus.publish([weighedMessage(event)]));
