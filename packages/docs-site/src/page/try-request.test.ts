import { expect, test } from '@jest/globals';
import { readableBody, tryRequest } from './try-request.ts';

test('a form becomes a request without its empty fields', () => {
  const fields = [
    { place: 'path', name: 'po_number', value: 'A/1' },
    { place: 'query', name: 'limit', value: '5' },
    { place: 'query', name: 'cursor', value: '' },
    { place: 'header', name: 'If-Match', value: '"1"' },
  ] as const;
  expect(tryRequest('https://x/p', '/open/v1/forecasts/{po_number}', fields, 'k')).toEqual({
    url: 'https://x/p/open/v1/forecasts/A%2F1?limit=5',
    headers: { 'X-Api-Key': 'k', 'If-Match': '"1"' },
  });
  expect(tryRequest('https://x', '/files/a', [])).toEqual({ url: 'https://x/files/a', headers: {} });
});

test('JSON is shown with indentation, anything else as it came', () => {
  expect(readableBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readableBody('no JSON')).toBe('no JSON');
});
