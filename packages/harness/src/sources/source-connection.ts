import type { SourceServer } from './source-server.ts';

/** A connection as `TRACKING_SOURCES` lists it. */
export interface SourceConnection {
  readonly id: string;
  readonly source: string;
  readonly base_url: string;
  readonly carriers: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
}

/** A connection of the operator to the server of a source. @param carriers codes of dispatches that it serves */
export function connectionTo(server: SourceServer, id: string, carriers: readonly string[]): SourceConnection {
  const { name: source, baseUrl: base_url, credentials } = server;
  return { id, source, base_url, carriers, credentials };
}
