import { expect, test } from '@jest/globals';
import { copyingOf, numberOfCopy } from './copies.ts';
import type { Stored, StoredPart } from './copy-store.ts';

const NOW = 1_795_700_800_000;
const FORECAST_NO = 'FC261126T08EXKKJGE';
const PO_NUMBER = 'GROWPO-0-00000000';
const DELIVERY = `dlv_${NOW.toString(16).padStart(12, '0')}729ca1b9ae5fee17afe3`;
const numbers = [FORECAST_NO, PO_NUMBER];

const model: readonly StoredPart[] = [
  {
    name: 'forecast/forecasts',
    rows: [
      { forecast_id: 7, forecast_no: FORECAST_NO, po_number: PO_NUMBER, status: 6, created_at: NOW - 5, progress: `{"at":"${PO_NUMBER}"}` },
    ],
  },
  {
    name: 'file/files',
    rows: [{ id: 3, token: 'ueWJO3QIi0hJNdLlXWhw8Q', storage_key: 'pdf/0a0a0a0a0a0a0a0a', md5: '0123456789abcdef0123456789abcdef' }],
  },
  {
    name: 'webhook/deliveries',
    rows: [
      { position: 4, delivery_id: DELIVERY, planned: [{ delivery_id: DELIVERY }], next_poll_at: NOW + 86_400_000 },
      { position: 9, delivery_id: DELIVERY.replace('729c', '729d'), planned: [], next_poll_at: null },
    ],
  },
  { name: 'webhook/attempts', rows: [{ delivery_position: 9, stamp: NOW * 1000 }] },
];

function copies(count: number): ReadonlyMap<string, readonly Stored[]> {
  const { parts, textsOf } = copyingOf(numbers, model, NOW, (part) => (part === 'file/files' ? 2 : 1));
  const made = new Map<string, Stored[]>();
  for (let index = 1; index <= count; index += 1) {
    const copy = { index, ageMs: (count - index + 1) * 1000 };
    for (const { name, copiers, every } of parts) {
      if (index % every === 0) made.set(name, [...(made.get(name) ?? []), ...copiers.map((copier) => copier(copy, textsOf(copy)))]);
    }
  }
  return made;
}

test('no two copies share what identifies a parcel, wherever it is written', () => {
  const made = copies(500);
  const forecasts = made.get('forecast/forecasts') ?? [];
  for (const field of ['forecast_id', 'forecast_no', 'po_number', 'created_at'])
    expect(new Set(forecasts.map((row) => row[field])).size).toBe(500);
  const [first] = forecasts;
  expect(first).toMatchObject({ status: 6, forecast_no: numberOfCopy(numbers, 0, 1), po_number: numberOfCopy(numbers, 1, 1) });
  expect(first?.['progress']).toBe(`{"at":"${numberOfCopy(numbers, 1, 1)}"}`);
  expect(String(first?.['forecast_no'])).toMatch(/^FC261126[0-9A-F]{8}GE$/);
});

test('a part that each second copy has is made for those', () => {
  const files = copies(500).get('file/files') ?? [];
  expect(files).toHaveLength(250);
  expect(new Set(files.map(({ token }) => token)).size).toBe(250);
  expect(String(files[0]?.['storage_key'])).toMatch(/^pdf\/[0-9a-f]{8}0a0a0a0a$/);
});

test('ids that hold their time become older with the copy, and the later copy is the younger', () => {
  const deliveries = copies(3).get('webhook/deliveries') ?? [];
  const ids = deliveries.map(({ delivery_id: id }) => String(id));
  expect(ids).toEqual([...ids].sort());
  expect(ids.every((id) => id < DELIVERY)).toBe(true);
  expect(deliveries[0]?.['planned']).toEqual([{ delivery_id: ids[0] }]);
});

test('numbers that refer to others still do', () => {
  const made = copies(3);
  const second = (made.get('webhook/deliveries') ?? []).filter((_, at) => at % 2 === 1).map(({ position }) => position);
  expect((made.get('webhook/attempts') ?? []).map(({ delivery_position }) => delivery_position)).toEqual(second);
});

test('microseconds age as milliseconds do, and what is due stays due later', () => {
  const made = copies(1);
  expect(made.get('webhook/attempts')?.[0]?.['stamp']).toBe((NOW - 1000) * 1000);
  expect(made.get('webhook/deliveries')?.[0]?.['next_poll_at']).toBeGreaterThanOrEqual(NOW + 86_400_000);
  expect(made.get('webhook/deliveries')?.[1]?.['next_poll_at']).toBeNull();
});

test('a model of too many rows is refused', () => {
  const rows = Array.from({ length: 65 }, (_, id) => ({ id }));
  expect(() => copyingOf([], [{ name: 'file/files', rows }], NOW, () => 1)).toThrow('too large');
});
