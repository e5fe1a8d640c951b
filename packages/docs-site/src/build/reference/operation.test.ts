import { describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { operationOf } from './operation.ts';
import { operationMarkdown } from './operation-markdown.ts';

function described(id: string): { text: string; errors: Readonly<Record<string, string>> } {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}`);
  const operation = operationOf(route);
  return {
    text: operationMarkdown(operation),
    errors: Object.fromEntries(operation.failures.map(({ code, cause, remedy }) => [code, `${cause}. ${remedy}`])),
  };
}

test('the form of an upload has all its fields', () => {
  const { text } = described('importForecasts');
  expect(text).toContain('- `file` (file, required): The file, with its name\n');
  expect(text).toContain('- `mapping` (string): JSON object');
  expect(text).toContain('- `validate_only` (boolean): ');
  expect(described('previewImport').text).toContain('- `mapping` (string)');
  expect(described('uploadPdf').text).toMatch(/- `url_expires_in` \(integer\): .*; 3,600 to 31,536,000/);
});

describe('an error says what is meant on its route', () => {
  test('of an upload', () => {
    expect(described('importForecasts').errors).toMatchObject({
      42205: expect.stringContaining('`….csv` or `….xlsx`'),
      42206: expect.stringContaining('at most 20,971,520 bytes'),
    });
    expect(described('uploadPdf').errors).toMatchObject({
      42205: expect.stringContaining('a PDF named'),
      42206: expect.stringContaining('at most 10,485,760 bytes'),
    });
    expect(described('uploadImage').errors['42205']).toContain('a JPEG, PNG or WebP');
  });

  test('of a header, where no forecast can be the reason', () => {
    expect(described('rotateKey').errors['40901']).toBe(
      'The `Idempotency-Key` was used for other content. Take another key for other content.',
    );
    expect(described('submitForecast').errors['40901']).toContain('A forecast with this po_number');
  });
});

test('no bound of a number is left open in words', () => {
  const texts = routes.map(({ id }) => described(id).text);
  expect(texts.filter((text) => text.includes('undefined'))).toEqual([]);
});
