import { start17TrackServer } from './17track-server.ts';
import { startDhlServer } from './dhl-server.ts';
import type { SourceServer } from './source-server.ts';

const servers: Readonly<Record<string, () => Promise<SourceServer>>> = { '17track': start17TrackServer, dhl: startDhlServer };

/** Starts the server of a source: 17TRACK registers parcels for queries, DHL registers none. @throws Error for any other source */
export async function startSourceServer(name: string): Promise<SourceServer> {
  const start = servers[name];
  if (start === undefined) throw new Error(`The tracking source ${name} has no server`);
  return start();
}
