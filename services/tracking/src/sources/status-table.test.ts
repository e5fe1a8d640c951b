// What a code of each source means, through the translation of each source. `fixtures/statuses.json` of a source has its codes by `admin_status`.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { codedSources, NUMBER, rawTrace, type VendorRow } from '../testing/vendor-rows.ts';
import { nodeInstant } from '../watch/domain/node.ts';
import type { TrackingSource } from './source.ts';
import { trackingSources } from './source-list.ts';

/** A row whose status depends on more than its code, or is another one than its place suggests. */
interface Special extends VendorRow {
  /** Codes of the rows before it, oldest first. */
  readonly after?: readonly string[];
  /** Further fields of the parcel. */
  readonly fields?: object;
  /** The source has no place for the code. */
  readonly isUnknown?: true;
  /** What the source reads instead, and why. */
  readonly read?: AdminStatus | 'no node';
  readonly why?: string;
}

type Statuses = Readonly<Record<AdminStatus, readonly (string | Special)[]>>;

describe.each(codedSources)('%s', (name) => {
  const source = trackingSources.get(name) as TrackingSource;
  const statuses = JSON.parse(readFileSync(new URL(`./${name}/fixtures/statuses.json`, import.meta.url), 'utf8')) as Statuses;
  const rows = Object.entries(statuses).flatMap(([adminStatus, list]) =>
    list.map((one) => ({ adminStatus, row: typeof one === 'string' ? { code: one } : one })),
  );

  test.each(rows)('$adminStatus: $row', ({ adminStatus, row }) => {
    const { after = [], fields, isUnknown = false, read: expected = adminStatus } = row as Special;
    const raw = rawTrace(name, [...after.map((code) => ({ code })), row], fields);
    const { nodes, unknownCodes } = source.translate(raw, { trackingNumber: NUMBER, dispatchedAt: Date.parse('2026-11-24T00:00:00Z') });
    const newest = [...nodes].sort((a, b) => nodeInstant(b) - nodeInstant(a))[0]?.adminStatus ?? 'no node';
    expect(newest).toBe(expected);
    expect(nodes).toHaveLength(after.length + (expected === 'no node' ? 0 : 1));
    expect(unknownCodes).toHaveLength(isUnknown ? 1 : 0);
  });

  test('every admin_status is there, in the order of the contract, and no code twice', () => {
    expect(Object.keys(statuses)).toEqual([...adminStatuses]);
    expect(new Set(rows.map(({ row }) => JSON.stringify(row))).size).toBe(rows.length);
  });
});

test('a delivery alone, and what cannot follow it, is final', () => {
  expect(adminStatuses.filter(isTerminalAdminStatus)).toEqual(['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin']);
  expect([...codedSources, 'generic'].sort()).toEqual([...trackingSources.keys()].sort());
});
