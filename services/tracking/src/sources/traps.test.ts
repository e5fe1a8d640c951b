// The traps of README.md that every source with codes can fall into. What a trap means for one source alone is tested beside the source.
import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { type CodedSource, codedSources, NUMBER, rawTrace, type VendorRow } from '../testing/vendor-rows.ts';
import { nodeInstant } from '../watch/domain/node.ts';
import { trackingSources } from './source-list.ts';
import type { Trace } from './trace.ts';

/** Codes of each source: a parcel under way, its failures, its delivery, and a code that the vendor may add. */
const codes: Readonly<
  Record<CodedSource, { underWay: string; failures: readonly string[]; delivered: string; added: readonly [string, AdminStatus] }>
> = {
  '17track': {
    underWay: 'InTransit_Other',
    failures: ['DeliveryFailure_Other', 'DeliveryFailure_Rejected', 'Exception_Other', 'Exception_Delayed', 'Exception_Returning'],
    delivered: 'Delivered_Other',
    added: ['Exception_Lost_Twice', 'Exception'],
  },
  aftership: {
    underWay: 'InTransit_001',
    failures: ['AttemptFail_001', 'Exception_001', 'Exception_003', 'Exception_010', 'Exception_017'],
    delivered: 'Delivered_001',
    added: ['Exception_099', 'Exception'],
  },
  easypost: {
    underWay: 'in_transit',
    failures: ['failure', 'error', 'failure/weather_delay', 'in_transit/refused'],
    delivered: 'delivered',
    added: ['cancelled/beamed_up', 'Exception'],
  },
  ups: { underWay: 'I', failures: ['X', 'X UU', 'X 064', 'D', 'MV'], delivered: 'D FS', added: ['X Q9', 'Exception'] },
  dhl: { underWay: 'transit', failures: ['failure'], delivered: 'delivered', added: ['returned', 'In Transit'] },
  yunexpress: {
    underWay: 'IN_TRANSIT',
    failures: ['DELIVERY_FAILURE', 'PACKAGE_EXCEPTION', 'PACKAGE_LOST', 'RETURNED_TO_SENDER'],
    delivered: 'DELIVERED',
    added: ['DELIVERED_TO_LOCKER', 'In Transit'],
  },
};

const sentences = [
  'Delivered',
  'Delivered to local carrier',
  'Delivered to sender',
  'Not delivered',
  'Will be returned to sender',
  'Returned to sender',
  'Lost',
  'Cancelled',
  'Delivery Success',
];

describe.each(codedSources)('%s', (name) => {
  const source = trackingSources.get(name);
  const { underWay, failures, delivered, added } = codes[name];
  const read = (...rows: VendorRow[]): Trace | undefined =>
    source?.translate(rawTrace(name, rows), { trackingNumber: NUMBER, dispatchedAt: Date.parse('2026-11-24T00:00:00Z') });
  /** Statuses, oldest first. */
  const statusesOf = (...rows: VendorRow[]): AdminStatus[] =>
    [...(read(...rows)?.nodes ?? [])].sort((a, b) => nodeInstant(a) - nodeInstant(b)).map(({ adminStatus }) => adminStatus);

  test.each(failures)('traps 2, 3 and 4: %s ends nothing, and the parcel moves on', (code) => {
    const [failed = '', moved] = statusesOf({ code, text: 'Bad weather' }, { code: underWay });
    expect(failed).not.toBe('');
    expect(isTerminalAdminStatus(failed)).toBe(false);
    expect(moved).toBe('In Transit');
  });

  test.each(sentences)('trap 5: the text "%s" decides nothing', (text) => {
    expect(statusesOf({ code: underWay, text })).toEqual(['In Transit']);
    for (const code of failures) expect(statusesOf({ code, text })).toEqual(statusesOf({ code }));
  });

  test('trap 7: a parcel comes back to life: what follows a delivery counts', () => {
    const [failure = ''] = failures;
    const statuses = statusesOf({ code: delivered }, { code: failure }, { code: underWay }, { code: delivered });
    expect(statuses).toEqual(['Delivery Success', ...statusesOf({ code: failure }), 'In Transit', 'Delivery Success']);
  });

  test('trap 8: a code that the vendor adds counts as its main status, and is named once', () => {
    const [code, adminStatus] = added;
    const trace = read({ code }, { code }, { code: underWay });
    expect(trace?.unknownCodes).toHaveLength(1);
    expect(statusesOf({ code })).toEqual([adminStatus]);
    expect(trace?.nodes.filter((node) => node.adminStatus === 'In Transit')).toHaveLength(adminStatus === 'In Transit' ? 3 : 1);
  });
});
