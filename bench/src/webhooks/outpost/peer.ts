import type { WebhookBenchOptions } from '../options.ts';
import type { SideKind } from '../sides/side.ts';
import { outpostKind } from './outpost-side.ts';
import { findPeerPrograms, installPeerPrograms, outpostVersion } from './peer-programs.ts';

/** The peer, or why there is none. */
export interface Peer {
  readonly name: string;
  readonly kind: SideKind | null;
  /** Why there is none though one was asked for; null otherwise. */
  readonly missing: string | null;
}

const NAME = 'Outpost';

/** The last line of an error: programs that failed say there why. */
function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  return (lines.at(-1) as string).trim();
}

/** Finds the peer that was asked for, and installs it first if that was asked for too. Never fails: the run goes on without. */
export async function openPeer(options: Pick<WebhookBenchOptions, 'peer' | 'install'>, progress: (text: string) => void): Promise<Peer> {
  if (!options.peer) return { name: NAME, kind: null, missing: null };
  try {
    if (options.install) await installPeerPrograms(progress);
    const programs = findPeerPrograms();
    return { name: NAME, kind: outpostKind(programs, outpostVersion()), missing: null };
  } catch (error) {
    progress(String(error));
    return { name: NAME, kind: null, missing: `${NAME} could not be had: ${reasonOf(error)}` };
  }
}
