import { describe, expect, test } from '@jest/globals';
import { ForecastItem, ForecastSubmission } from './forecast-submission-api.ts';
import { normaliseTrackingNumber } from './tracking-number.ts';
import { compileValidator } from './validator.ts';
import { hasVisible, hasVisibleEdges } from './visible.ts';
import { warehouseEventSchemas } from './warehouse-api.ts';

/** Characters that show nothing, by what Unicode calls them. */
const invisible: Readonly<Record<string, string>> = {
  blank: ' ',
  'no-break space': '\u00a0',
  'ideographic space': '\u3000',
  'line separator': '\u2028',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'byte-order mark': '\ufeff',
  'word joiner': '\u2060',
  'soft hyphen': '\u00ad',
  'right-to-left mark': '\u200f',
  'right-to-left override': '\u202e',
  'Hangul filler': '\u3164',
  'half-width Hangul filler': '\uffa0',
  'Hangul choseong filler': '\u115f',
  'combining grapheme joiner': '\u034f',
  'Mongolian vowel separator': '\u180e',
  'variation selector': '\ufe0f',
  'tag letter': '\u{e0061}',
  'blank Braille pattern': '\u2800',
  tab: '\t',
};
const visible = ['a', '7', '快', 'é', '😀', '-', '한', 'ｱ', '𠮷', '#'];

describe.each(Object.entries(invisible))('a %s', (_name, character) => {
  test('may be in an identifier, not at its edge', () => {
    for (const letter of visible) {
      expect(hasVisibleEdges(`${letter}${character}${letter}`)).toBe(true);
      expect([hasVisibleEdges(character + letter), hasVisibleEdges(letter + character)]).toEqual([false, false]);
    }
    expect([hasVisibleEdges(character), hasVisible(character), hasVisible(character.repeat(9))]).toEqual([false, false, false]);
    expect(hasVisible(`${character}a${character}`)).toBe(true);
  });

  test('is no part of a logistics number', () => {
    expect(normaliseTrackingNumber(`${character}1z${character}-${character}99${character}`)).toBe('1Z99');
  });
});

test.each([...'-\u2010\u2011\u2012\u2013\u2014\u2212\u30a0\ufe63\uff0d'])('the dash %s is no part of a logistics number', (dash) => {
  expect(normaliseTrackingNumber(`sf${dash}1234${dash}5678`)).toBe('SF12345678');
});

describe('fields', () => {
  const item = { sku_code: 'S', product_name_en: 'P', forecast_quantity: 1 };
  const submission = { po_number: 'PO', warehouse_code: 'W', forecast_type: 1, items: [item] };
  const arrival = { event_id: 'e', occurred_at: '2026-01-31T08:00:00Z', warehouse_code: 'W', express_no: '1Z99', type: 'arrival' };
  const errors = {
    item: compileValidator(ForecastItem),
    submission: compileValidator(ForecastSubmission),
    arrival: compileValidator(warehouseEventSchemas.arrival),
  };
  const edge = 'must begin and end with a visible character, not with a blank or a zero-width one';

  test.each([
    ['submission', 'po_number', '\u200bPO', edge],
    ['submission', 'po_number', 'PO ', edge],
    ['submission', 'warehouse_code', '\u3164', edge],
    ['item', 'sku_code', '   ', edge],
    ['item', 'barcode', '690123\ufeff', edge],
    ['item', 'product_name_en', ' \u200b ', 'must have a visible character'],
    ['arrival', 'warehouse_code', '\u00a0W', edge],
  ] as const)('%s: %s is not %j', (kind, field, value, message) => {
    const whole = { item, submission, arrival }[kind];
    expect(errors[kind].errors({ ...whole, [field]: value })).toEqual([{ field, rule: 'pattern', message: `${field} ${message}` }]);
  });

  test('names and numbers may have blanks where they always could', () => {
    expect(
      errors.item.errors({ ...item, barcode: '', product_name_en: ' Lamp ', product_name_cn: ' ', tracking_number: ' 1Z-99 ' }),
    ).toEqual([]);
  });
});
