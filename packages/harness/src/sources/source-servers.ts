import { start17TrackServer } from './17track-server.ts';
import { startDhlServer } from './dhl-server.ts';
import { startEasyPostServer } from './easypost-server.ts';
import type { SourceServer } from './source-server.ts';

/** Sources that have a server, each with what starts it: one that registers parcels for queries, many or one in a call, and one that registers none. */
export const sourceServers: Readonly<Record<string, () => Promise<SourceServer>>> = {
  '17track': start17TrackServer,
  easypost: startEasyPostServer,
  dhl: startDhlServer,
};
