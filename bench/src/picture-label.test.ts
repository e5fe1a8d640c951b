import { describe, expect, test } from '@jest/globals';
import { PICTURE_AT, pictureLabel } from './picture-label.ts';

describe('pictureLabel', () => {
  const content = pictureLabel(1_000_000).toString('latin1');

  test('is about as large as asked for', () => {
    expect(content.length).toBeGreaterThan(998_000);
    expect(content.length).toBeLessThanOrEqual(1_001_000);
  });

  test('its table says where each object begins (ISO 32000-1, 7.5.4)', () => {
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(content)?.[1]);
    expect(content.slice(table, table + 10)).toBe('xref\n0 6\n0');
    const places = [...content.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
    expect(places.map((place) => content.slice(place, place + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj', '4 0 obj', '5 0 obj']);
  });

  test('its picture begins at the known place and has its length', () => {
    const length = Number(/\/Length (\d+) >>\nstream\n/.exec(content)?.[1]);
    expect(content.slice(PICTURE_AT - 7, PICTURE_AT)).toBe('stream\n');
    expect(content.slice(PICTURE_AT + length, PICTURE_AT + length + 11)).toBe('\nendstream\n');
  });
});
