import { start17TrackServer } from './17track-server.ts';
import { startAfterShipServer } from './aftership-server.ts';
import { startDhlServer } from './dhl-server.ts';
import { startEasyPostServer } from './easypost-server.ts';
import type { SourceServer } from './source-server.ts';
import { startUpsServer } from './ups-server.ts';
import { startYunExpressServer } from './yunexpress-server.ts';

/** Starts the server of a source, by the name of the source. */
export const sourceServers: Readonly<Record<string, () => Promise<SourceServer>>> = {
  '17track': start17TrackServer,
  easypost: startEasyPostServer,
  aftership: startAfterShipServer,
  ups: startUpsServer,
  dhl: startDhlServer,
  yunexpress: startYunExpressServer,
};
