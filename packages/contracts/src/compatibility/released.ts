import { readdirSync, readFileSync } from 'node:fs';
import { type BreakingChange, breakingChanges } from './breaking-changes.ts';
import type { ContractBundle } from './contract-bundle.ts';

/** Where the contracts of releases are written down: one file a version, and the changes that were accepted all the same. */
export const releasedFolder = new URL('../../released/', import.meta.url);

/** A breaking change that was made on purpose. */
export interface AcceptedChange {
  /** Of the {@link BreakingChange}. */
  readonly id: string;
  /** Why nobody is harmed, or why it must be. */
  readonly reason: string;
}

/** What the contracts of today are to those of the releases. */
export interface Verdict {
  /** Changes that break somebody and are not accepted, each with the releases that have it otherwise. */
  readonly breaking: readonly (BreakingChange & { readonly since: readonly string[] })[];
  /** Ids of accepted changes that no comparison finds any more. */
  readonly stale: readonly string[];
}

/** Order of versions `a.b.c`, ascending. */
function byVersion(a: ContractBundle, b: ContractBundle): number {
  return a.version.localeCompare(b.version, 'en', { numeric: true });
}

/** The contracts of every supported release, oldest first. */
export function releasedContracts(): ContractBundle[] {
  const names = readdirSync(releasedFolder).filter((name) => /^\d+\.\d+\.\d+\.json$/.test(name));
  return names.map((name) => JSON.parse(readFileSync(new URL(name, releasedFolder), 'utf8')) as ContractBundle).sort(byVersion);
}

/** The breaking changes that were made on purpose. */
export function acceptedChanges(): AcceptedChange[] {
  return JSON.parse(readFileSync(new URL('accepted.json', releasedFolder), 'utf8')) as AcceptedChange[];
}

/**
 * Holds contracts against those of every release that is still supported: users of the oldest must not be broken either.
 * @param releases oldest first; none before the first release
 */
export function judgeContracts(releases: readonly ContractBundle[], current: ContractBundle, accepted: readonly AcceptedChange[]): Verdict {
  const found = new Map<string, BreakingChange & { since: string[] }>();
  for (const release of releases) {
    for (const each of breakingChanges(release, current)) {
      const known = found.get(each.id) ?? { ...each, since: [] };
      known.since.push(release.version);
      found.set(each.id, known);
    }
  }
  const allowed = new Set(accepted.map(({ id }) => id));
  return {
    breaking: [...found.values()].filter(({ id }) => !allowed.has(id)),
    stale: [...allowed].filter((id) => !found.has(id)),
  };
}
