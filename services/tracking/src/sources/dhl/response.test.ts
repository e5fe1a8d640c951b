import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { shipmentInResponse } from './client.ts';

const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

describe('the shipment of a number', () => {
  test('is never another shipment', () => {
    for (const number of ['7777777770', '', ' ', '003404340000001234568', '44718820', 'undefined', '[object Object]'])
      for (const name of ['domestic', 'express', 'several']) expect(shipmentInResponse(fixture(name), number)).toBeUndefined();
  });

  test('is the newest by instant, and one without a time is the oldest', () => {
    const shipment = (name: string, timestamp?: string) => ({ id: '1', name, status: { timestamp } });
    const shipments = [shipment('none'), shipment('later', '2026-11-25T02:00:00-08:00'), shipment('earlier', '2026-11-25T09:00:00Z')];
    expect(shipmentInResponse({ shipments }, '1')).toMatchObject({ name: 'later' });
    expect(shipmentInResponse({ shipments: shipments.slice(0, 1) }, '1')).toMatchObject({ name: 'none' });
  });

  test('is that with the number itself rather than one with a piece of it', () => {
    const shipments = [
      { id: '2', details: { pieceIds: ['1'] }, status: { timestamp: '2026-11-25T09:00:00Z' } },
      { id: '1', status: { timestamp: '2025-01-01T09:00:00Z' } },
    ];
    expect(shipmentInResponse({ shipments }, '1')).toMatchObject({ id: '1' });
  });
});

describe('many shipments', () => {
  const old = { id: '1', status: { timestamp: '2025-01-01T09:00:00+01:00' } };
  const newest = { id: '1', name: 'newest', status: { timestamp: '2026-01-01T09:00:00+01:00' } };

  test('are compared up to the hundredth under one number', () => {
    const olds = Array.from({ length: 99 }, () => old);
    expect(shipmentInResponse({ shipments: [...olds, newest] }, '1')).toBe(newest);
    expect(shipmentInResponse({ shipments: [...olds, old, newest] }, '1')).toBe(old);
  });

  test('are looked through up to MAX_NODES', () => {
    const others = Array.from({ length: MAX_NODES - 1 }, () => ({ id: '2' }));
    expect(shipmentInResponse({ shipments: [...others, newest] }, '1')).toBe(newest);
    expect(shipmentInResponse({ shipments: [...others, {}, newest] }, '1')).toBeUndefined();
  });
});

describe('a response without it', () => {
  test('is refused with the reason when it is another problem', () => {
    expect(() => shipmentInResponse(fixture('too-many-requests'), '1')).toThrow('429, Too Many Requests, Too many requests within');
    expect(() => shipmentInResponse({ status: 401, title: {}, detail: ['x'] }, '1')).toThrow(/problem: 401$/);
    expect(() => shipmentInResponse({ status: 500, detail: 'x'.repeat(100_000) }, '1')).toThrow(/^.{0,400}$/);
  });
});
