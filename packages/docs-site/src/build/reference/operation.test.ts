import { describe, expect, test } from '@jest/globals';
import { deprecated } from '@parcelway/contracts/deprecation';
import { routeOf, routes } from '@parcelway/contracts/routes';
import Type from 'typebox';
import { type Field, fieldsOf } from './fields.ts';
import { operationOf } from './operation.ts';
import { operationMarkdown } from './tag-pages.ts';

function described(id: string): { text: string; errors: Readonly<Record<string, string>> } {
  const operation = operationOf(routeOf(id));
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

const only = (schema: unknown): Field => fieldsOf({ type: 'object', properties: { a: schema } }).children[0] as Field;

describe('a field', () => {
  test('has its type, its limits and its words', () => {
    expect(only(Type.String({ minLength: 1, maxLength: 64, description: 'A name' }))).toEqual({
      name: 'a',
      type: 'string',
      isRequired: false,
      isDeprecated: false,
      rule: '1 to 64 characters',
      description: 'A name',
      children: [],
      variants: [],
    });
  });

  test('may be null, or of several types', () => {
    expect(only(Type.Union([Type.Integer({ minimum: 1, maximum: 9 }), Type.Null()]))).toMatchObject({
      type: 'integer or null',
      rule: '1 to 9',
    });
    expect(only({ type: ['string', 'null'] }).type).toBe('string or null');
    expect(only({ enum: [1, 2] })).toMatchObject({ type: 'number', rule: 'one of `1`, `2`' });
  });

  test('of a list says what each element may be', () => {
    const list = Type.Array(Type.String({ minLength: 1, maxLength: 5 }), { maxItems: 3 });
    expect(only(list)).toMatchObject({ type: 'array of string', rule: 'at most 3 elements; each: 1 to 5 characters' });
  });

  test('of objects has the fields of the object below it', () => {
    const object = Type.Object({ b: Type.Boolean() });
    for (const schema of [object, Type.Array(object), Type.Union([object, Type.Null()])])
      expect(only(schema).children).toMatchObject([{ name: 'b', type: 'boolean', isRequired: true }]);
  });

  test('that is on its way out says so', () => {
    expect(only({ type: 'string', ...deprecated({ since: '2026-11-01', link: 'https://x' }) }).isDeprecated).toBe(true);
  });
});

describe('a body of several kinds', () => {
  const event = (name: string) => Type.Object({ type: Type.Literal(name) }, { $id: name });

  test('describes each kind once', () => {
    const events = Type.Union([event('one'), event('two')]);
    const body = Type.Union([events, Type.Object({ events: Type.Array(events) }, { $id: 'Batch' })]);
    const { variants } = fieldsOf(body);
    expect(variants.map(({ title }) => title)).toEqual(['one', 'two', 'Batch']);
    expect(variants[2]?.fields).toMatchObject([{ name: 'events', type: 'array of object', variants: [] }]);
  });

  test('follows references', () => {
    const resolve = (reference: string) => ({ '#/b': { type: 'object', properties: { c: { type: 'string' } } } })[reference];
    expect(fieldsOf({ type: 'object', properties: { b: { $ref: '#/b' } } }, resolve).children[0]?.children[0]?.name).toBe('c');
    expect(() => fieldsOf({ $ref: '#/b' })).toThrow('none is expected');
  });
});
