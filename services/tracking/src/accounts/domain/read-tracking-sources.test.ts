import { expect, test } from '@jest/globals';
import { readTrackingSources } from './read-tracking-sources.ts';

const SECRET = 'a-secret-that-nobody-sees';
const sources = new Map([
  ['17track', { baseUrl: 'https://vendor.example', pushes: null, credentials: { required: ['key'], optional: [] } }],
]);
const one = { id: 'a', source: '17track', carriers: ['*'], credentials: { key: SECRET } };
const read = (value: unknown) => readTrackingSources(typeof value === 'string' ? value : JSON.stringify(value), sources);

/** The message of the error that a wrong value causes. */
function complaintOf(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing is wrong');
}

test('the connections of the variable are those of the operator', () => {
  expect(
    read([
      { ...one, carriers: ['UPS'] },
      { ...one, id: 'b' },
    ]),
  ).toMatchObject([
    { connectionId: 'a', tenantId: null, carriers: ['ups'], credentials: { key: SECRET } },
    { connectionId: 'b', tenantId: null },
  ]);
});

test('without the variable there are none', () => {
  expect(readTrackingSources(undefined, sources)).toEqual([]);
  expect(read([])).toEqual([]);
});

test.each<[unknown, string]>([
  ['', 'must be a JSON list such as'],
  ['{', 'must be a JSON list such as'],
  [{ ...one }, 'must be a list such as'],
  ['null', 'must be a list such as'],
  [Array.from({ length: 51 }, (_, index) => ({ ...one, id: `c${index}` })), 'must have at most 50 connections'],
  [[one, one], 'has two connections with the id a'],
  [[{ ...one, id: undefined }], '[0].id is required'],
  [[one, null], '[1]'],
  [
    [
      { ...one, source: 'x' },
      { ...one, carriers: [] },
    ],
    '[0].source: source must be one of 17track; [1].carriers',
  ],
])('%j is wrong', (value, complaint) => {
  expect(complaintOf(value)).toContain(complaint);
});

test('the message shows no credential, and is short', () => {
  const wrong = Array.from({ length: 40 }, (_, index) => ({ ...one, id: `c${index}`, credentials: { key: SECRET, other: SECRET } }));
  const complaint = complaintOf(wrong);
  expect(complaint).not.toContain(SECRET);
  expect(complaint.split('; ')).toHaveLength(10);
  expect(complaintOf(`[{"id":"a","credentials":{"key":"${SECRET}"`)).not.toContain(SECRET);
});
