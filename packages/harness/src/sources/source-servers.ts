import { start17TrackServer } from './17track-server.ts';
import { startDhlServer } from './dhl-server.ts';
import type { SourceServer } from './source-server.ts';

/** Sources that have a server, each with what starts it: one that registers parcels for queries, and one that registers none. */
export const sourceServers: Readonly<Record<string, () => Promise<SourceServer>>> = {
  '17track': start17TrackServer,
  dhl: startDhlServer,
};
