// What a code of each source means, by `admin_status`, through the translation of each source.
import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { type CodedSource, codedSources, NUMBER, rawTrace, type VendorRow } from '../testing/vendor-rows.ts';
import { nodeInstant } from '../watch/domain/node.ts';
import { trackingSources } from './source-list.ts';
import type { Trace } from './trace.ts';

/** A row whose status depends on more than its code, or is another one than its line of the table suggests. */
interface Special extends VendorRow {
  /** Codes of the rows before it, oldest first. */
  readonly after?: readonly string[];
  /** Further fields of the parcel. */
  readonly fields?: object;
  /** The source has no place for the code. */
  readonly isUnknown?: true;
  /** What the source reads instead, and why. */
  readonly read?: readonly [AdminStatus | 'no node', why: string];
}

interface Line {
  readonly isTerminal: boolean;
  /** Codes between blanks, then special rows. No code: the vendor has none for it. */
  readonly cells: Readonly<Record<CodedSource, readonly [codes: string, ...special: Special[]]>>;
}

const NONE = [''] as const;
const open = (cells: Line['cells']): Line => ({ isTerminal: false, cells });
const terminal = (cells: Line['cells']): Line => ({ isTerminal: true, cells });

/** A word of a vendor that decides nothing: texts vary by language and division, and their codes say "under way". */
const byWord = (code: string, text: string): Special => ({ code, text, read: ['In Transit', 'because texts decide nothing'] });

const table: Readonly<Record<string, Line>> = {
  Pending: open({
    '17track': ['NotFound_Other NotFound_InvalidCode NotFound'],
    aftership: ['Pending_001 Pending_002 Pending_003 Pending_004 Pending_005 Pending_006 Pending'],
    easypost: ['unknown'],
    // TW0001 comes in the place of a package: below.
    ups: NONE,
    // So does 404. A row "unknown" amid others changes nothing, so it has the status of the row before it.
    dhl: ['unknown', { code: 'unknown', after: ['transit'], read: ['In Transit', 'because the row before it is'] }],
    yunexpress: NONE,
  }),
  'Info Received': open({
    '17track': ['InfoReceived'],
    aftership: ['InfoReceived_001 InfoReceived'],
    easypost: ['pre_transit'],
    // One page of UPS calls MV a manifest, another one a void: it ends nothing.
    ups: ['M MV', { code: 'M MP 003' }, { code: 'MV VP', isUnknown: true }],
    dhl: ['pre-transit Pre-Transit'],
    yunexpress: ['ORDER_CREATION'],
  }),
  'Picked Up': open({
    '17track': ['InTransit_PickedUp PickedUp'],
    aftership: ['InTransit_002'],
    easypost: ['in_transit/received_at_origin_facility'],
    ups: ['', { code: 'I OR' }, { code: 'I OR 005' }, { code: 'I PU 038' }],
    dhl: ['', byWord('transit', 'Picked up')],
    yunexpress: ['FIRST_MILE_ARRIVE PICKED_UP'],
  }),
  'In Transit': open({
    '17track': [
      'InTransit_Other InTransit_Departure InTransit_Arrival InTransit_TransportArrived InTransit Departure Arrival',
      { code: 'InTransit_New', isUnknown: true },
      { code: 'New_Other', isUnknown: true },
    ],
    // 005 and 006 are of customs by the vendor's own description, 002 of the pick-up.
    aftership: [
      'InTransit_001 InTransit_003 InTransit_004 InTransit_007 InTransit_008 InTransit_009 InTransit_011 InTransit_012 InTransit_013 InTransit',
      { code: 'InTransit_099', isUnknown: true },
    ],
    easypost: [
      'in_transit in_transit/departed_facility in_transit/arrived_at_facility delivered/transferred_to_destination_carrier',
      ...['Delivered', 'canceled', 'failure_lost'].map((code) => ({ code, isUnknown: true as const })),
    ],
    ups: [
      'I U',
      { code: 'I DP' },
      { code: 'I AR' },
      { code: 'I Q9 005' },
      { code: 'ZZ FS 011', isUnknown: true },
      { code: 'I FS', isUnknown: true },
    ],
    dhl: ['transit'],
    yunexpress: ['IN_TRANSIT MAIN_LINE_ARRIVE MAIN_LINE_DEPART PRE_INFO TRANSITHUB_ARRIVE in_transit', { code: 'MD/TT', isUnknown: true }],
  }),
  'Customs Clearance': open({
    '17track': ['InTransit_CustomsProcessing InTransit_CustomsReleased InTransit_CustomsRequiringInformation'],
    aftership: ['InTransit_005 InTransit_006 Exception_004 Exception_018'],
    easypost: ['', byWord('in_transit', 'Held by customs')],
    // SR is "released by customs" under type X. No list describes it under another one.
    ups: ['', { code: 'X SR 003' }, { code: 'I SR', isUnknown: true, read: ['In Transit', 'because SR means customs under type X alone'] }],
    dhl: ['', byWord('transit', 'Released by customs')],
    yunexpress: ['CUSTOMS_RELEASE CUSTOMS_PROCESSING CUSTOMS_COMPLETE CUSTOMS_DELAY CUSTOMS_INSPCTION ARRIVE_ORIN_CUSTOMS'],
  }),
  'In Delivery': open({
    '17track': ['OutForDelivery_Other OutForDelivery'],
    // 002 is the old name of AvailableForPickup_001.
    aftership: ['OutForDelivery_001 OutForDelivery_003 OutForDelivery_004 OutForDelivery'],
    easypost: ['out_for_delivery'],
    ups: ['D', { code: 'I OT 021' }, { code: 'I OF' }, { code: 'D OT' }, { code: 'D OF 021' }, { code: 'D ZL 072' }, { code: 'D 2W 026' }],
    dhl: ['', byWord('transit', 'Out for delivery')],
    yunexpress: ['DELIVERY_ATTEMPT'],
  }),
  'Available for Pickup': open({
    '17track': ['AvailableForPickup_Other AvailableForPickup'],
    aftership: ['AvailableForPickup_001 OutForDelivery_002 AvailableForPickup'],
    easypost: ['available_for_pickup'],
    ups: ['', { code: 'I RP' }, { code: 'X RP' }, { code: 'D AC' }, { code: 'I WC' }, { code: 'D ZP 040' }, { code: 'D 161' }],
    dhl: ['', byWord('transit', 'Ready for pick-up')],
    yunexpress: ['', { code: 'READY_FOR_PICKUP', read: ['In Transit', 'because it is cargo at a terminal'] }],
  }),
  'Delivery Attempted': open({
    '17track': [
      'DeliveryFailure_Other DeliveryFailure_NoBody DeliveryFailure_Security DeliveryFailure_Rejected DeliveryFailure_InvalidAddress DeliveryFailure',
    ],
    aftership: ['AttemptFail_001 AttemptFail_002 AttemptFail_003 AttemptFail'],
    easypost: ['in_transit/delivery_exception'],
    ups: ['', { code: 'X 3J' }, { code: 'X 48 022' }, { code: 'X 060' }, { code: 'X 064' }],
    dhl: ['', { code: 'failure', text: 'Delivery attempt', read: ['Exception', 'because texts decide nothing'] }],
    yunexpress: ['DELIVERY_FAILURE'],
  }),
  Exception: open({
    '17track': [
      'Exception_Other Exception_NoBody Exception_Security Exception_Delayed Exception_Rejected Exception',
      { code: 'Expired_Other', read: ['no node', 'because it is a state of the watch'] },
      { code: 'Expired', read: ['no node', 'because it is a state of the watch'] },
    ],
    aftership: [
      'Exception_001 Exception_002 Exception_003 Exception_005 Exception_006 Exception_007 Exception_008 Exception_009 Exception_012',
      ...['Exception_016', 'Exception_017', 'Exception_019', 'Exception'].map((code) => ({ code })),
      ...['Exception_014', 'Exception_015'].map((code) => ({ code, isUnknown: true as const })),
      { code: 'Expired_001', read: ['no node', 'because it is a state of the watch'] },
    ],
    easypost: [
      'failure error in_transit/damaged in_transit/delayed in_transit/failure in_transit/refused in_transit/transit_exception',
      { code: 'in_transit/weather_delay' },
      { code: 'cancelled/beamed_up', isUnknown: true, read: ['Exception', 'because an unknown detail ends nothing'] },
    ],
    ups: [
      'X',
      ...['X UU', 'X UU 069', 'X CA 013', 'X 5Q 048', 'MV VP 007', 'X VD 007'].map((code) => ({ code })),
      { code: 'X Q9', isUnknown: true },
      { code: 'X FS', isUnknown: true },
    ],
    dhl: ['failure'],
    yunexpress: ['PACKAGE_EXCEPTION CUSTOMS_HOLD AIRPORT_HOLD OTHER'],
  }),
  Returning: open({
    '17track': ['Exception_Returning Returning Returned'],
    aftership: ['Exception_010'],
    easypost: ['return_to_sender in_transit/return failure/return error/return'],
    ups: ['RS', ...['X RS', 'I RT', 'D RS 011', 'D FS 034', 'X 081'].map((code) => ({ code }))],
    dhl: ['', { code: 'delivered', fields: { returnFlag: true } }, byWord('transit', 'Returned to shipper')],
    yunexpress: ['RETURNED RETURNED_BACK RETURNED_TO_SENDER'],
  }),
  'Delivery Success': terminal({
    '17track': ['Delivered_Other Delivered'],
    aftership: ['Delivered_001 Delivered_002 Delivered_003 Delivered_004 Delivered_005 Delivered'],
    easypost: ['delivered', { code: 'delivered/beamed_up', isUnknown: true }],
    ups: ['', ...['D FS', 'D KB 011', 'D 9E 011', 'D 011', 'D FS 081'].map((code) => ({ code }))],
    dhl: ['delivered'],
    yunexpress: ['DELIVERED'],
  }),
  'Delivery Failure': terminal({
    '17track': ['Exception_Lost Exception_Destroyed Exception_Damage Exception_Cancel'],
    aftership: ['Exception_013 Exception_020 Exception_021'],
    easypost: ['cancelled in_transit/lost failure/lost error/lost delivered/lost unknown/lost'],
    ups: [
      '',
      { code: 'M VD' },
      { code: 'MV VD 007' },
      { code: 'X VD', isUnknown: true, read: ['Exception', 'because only a label is made void, and a label has type M or MV'] },
    ],
    dhl: NONE,
    // The vendor names no final code but DELIVERED.
    yunexpress: ['', { code: 'PACKAGE_LOST', read: ['Exception', 'because no page calls it final'] }],
  }),
  'Parcel Return to Origin': terminal({
    '17track': ['Exception_Returned'],
    aftership: ['Exception_011'],
    easypost: [
      'return_to_sender/arrived_at_destination delivered/return',
      { code: 'delivered', after: ['return_to_sender'] },
      { code: 'delivered', fields: { is_return: true } },
      { code: 'return_to_sender', fields: { is_return: true }, read: ['Returning', 'because a return that moves is not yet back'] },
    ],
    ups: NONE,
    dhl: NONE,
    yunexpress: NONE,
  }),
};

/** One entry of a cell, under the name of its test. */
type Entry = readonly [name: string, source: CodedSource, row: Special, expected: string];

function entriesOf(adminStatus: string, source: CodedSource, [codes, ...special]: readonly [string, ...Special[]]): Entry[] {
  const plain = codes.split(' ').filter((code) => code !== '');
  return [...plain.map((code): Special => ({ code })), ...special].map((row) => {
    const [expected = adminStatus, why] = row.read ?? [];
    const said = row.text === undefined ? '' : ` "${row.text}"`;
    const before = row.after === undefined ? '' : ` after ${row.after.join(', ')}`;
    const given = row.fields === undefined ? '' : ` with ${Object.keys(row.fields).join(', ')}`;
    const otherwise = why === undefined ? '' : ` is ${expected}, ${why}`;
    return [`${adminStatus}: ${source} ${row.code}${said}${before}${given}${otherwise}`, source, row, expected];
  });
}

const entries = Object.entries(table).flatMap(([adminStatus, { cells }]) =>
  codedSources.flatMap((source) => entriesOf(adminStatus, source, cells[source])),
);

function translate(source: CodedSource, raw: unknown): Trace {
  const { translate: translated } = trackingSources.get(source) ?? {};
  if (translated === undefined) throw new Error(`There is no source ${source}`);
  return translated(raw, { trackingNumber: NUMBER, dispatchedAt: Date.parse('2026-11-24T00:00:00Z') });
}

test.each(entries)('%s', (_name, source, row, expected) => {
  const { after = [], fields, isUnknown = false } = row;
  const { nodes, unknownCodes } = translate(source, rawTrace(source, [...after.map((code) => ({ code })), row], fields));
  const newest = [...nodes].sort((a, b) => nodeInstant(b) - nodeInstant(a))[0]?.adminStatus ?? 'no node';
  expect(newest).toBe(expected);
  expect(isTerminalAdminStatus(newest)).toBe(table[expected]?.isTerminal ?? false);
  expect(nodes).toHaveLength(after.length + (expected === 'no node' ? 0 : 1));
  expect(unknownCodes).toHaveLength(isUnknown ? 1 : 0);
});

describe('the table is complete', () => {
  test('every admin_status has a line, in the order of the contract, and is final where the contract says so', () => {
    expect(Object.keys(table)).toEqual([...adminStatuses]);
    for (const [adminStatus, { isTerminal }] of Object.entries(table)) expect(isTerminalAdminStatus(adminStatus)).toBe(isTerminal);
  });

  test('every source with codes has a column, and no code two places', () => {
    expect([...codedSources, 'generic'].sort()).toEqual([...trackingSources.keys()].sort());
    expect(new Set(entries.map(([name]) => name.replace(/^[^:]+: /, ''))).size).toBe(entries.length);
  });
});
