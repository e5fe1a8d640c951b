import { remoteServices } from '@parcelway/http/other-services';
import { openEmbeddedPlatform } from '@parcelway/platform/embedded';
import { createLogger } from '@parcelway/platform/logging';
import { gatewayService } from '@parcelway/service-gateway/service';
import { announceReady } from '../child.ts';

/*
 * Parcelway's gateway with nothing behind it but one upstream that stands for every service: the measured gateway is
 * the real one, store, key ring, rate limiter and all. Arguments: data directory, origin of the upstream.
 */

const [dataDirectory = '', upstream = ''] = process.argv.slice(2);

const opened = await openEmbeddedPlatform(
  { DATA_DIR: dataDirectory, PORT: '0', HOST: '127.0.0.1' },
  'https://localhost:0',
  createLogger('warn'),
);
const otherServices = remoteServices({ originOf: () => upstream, signer: opened.platform.principalSigner });
const gateway = await gatewayService.open({ ...opened.platform, otherServices });
const { baseUrl } = await gateway.listen();
await gateway.start();
announceReady({ origin: baseUrl });
process.on('SIGTERM', () => {
  gateway
    .drain(1000)
    .then(() => gateway.stop())
    .then(() => opened.close())
    .finally(() => process.exit(0));
});
