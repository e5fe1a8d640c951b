import { readdirSync, readFileSync } from 'node:fs';
import { type Addition, compareContracts } from './compare-contracts.ts';
import type { ContractBundle } from './contract-bundle.ts';
import type { Finding } from './finding.ts';

/** Where the contracts of releases are written down: one file a version, and the changes that were accepted all the same. */
export const releasedFolder = new URL('../../released/', import.meta.url);

/** A breaking change that was made on purpose. */
export interface AcceptedChange {
  /** Id of the finding. */
  readonly id: string;
  /** Why nobody is harmed, or why it must be. */
  readonly reason: string;
}

/** What the contracts of today are to those of the releases. */
export interface Verdict {
  /** Changes that break somebody and are not accepted, each with the releases that have it otherwise. */
  readonly breaking: readonly (Finding & { readonly since: readonly string[] })[];
  /** What is new since the newest release. */
  readonly additions: readonly Addition[];
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
 * @throws Error when a schema has a keyword that the comparison does not know
 */
export function judgeContracts(releases: readonly ContractBundle[], current: ContractBundle, accepted: readonly AcceptedChange[]): Verdict {
  const found = new Map<string, Finding & { since: string[] }>();
  let additions: readonly Addition[] = [];
  for (const release of releases) {
    const comparison = compareContracts(release, current);
    additions = comparison.additions;
    for (const each of comparison.breaking) {
      const known = found.get(each.id);
      if (known) known.since.push(release.version);
      else found.set(each.id, { ...each, since: [release.version] });
    }
  }
  const allowed = new Set(accepted.map(({ id }) => id));
  return {
    breaking: [...found.values()].filter(({ id }) => !allowed.has(id)),
    additions,
    stale: [...allowed].filter((id) => !found.has(id)),
  };
}
