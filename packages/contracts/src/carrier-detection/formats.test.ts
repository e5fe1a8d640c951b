import { describe, expect, test } from '@jest/globals';
import { carrierNames, formats, type NumberFormat } from './formats.ts';
import allSamples from './samples.json' with { type: 'json' };

/**
 * Of each format in samples.json: its name, a number in it, and one that is not. The second differs in the check digit where there is one, else in the form.
 * Numbers with a check digit come from public lists of samples or the carrier's pages; those without are invented.
 */
const samples = allSamples as [name: string, valid: string, invalid: string][];

/** True when a number has the form of the format and its check digit, if there is one, is right. */
function fits({ expression, checkDigit, carriers }: NumberFormat, trackingNumber: string): boolean {
  const found = expression.exec(trackingNumber);
  if (found === null) return false;
  if (carriers(trackingNumber).length === 0) return false;
  return checkDigit === undefined || checkDigit(found.groups?.['body'] ?? '') === found.groups?.['check'];
}

const named = (name: string): readonly NumberFormat[] => formats.filter((format) => format.name === name);

describe('the number formats', () => {
  test.each(samples)('%s has %s and not %s', (name, valid, invalid) => {
    expect(named(name).some((format) => fits(format, valid))).toBe(true);
    expect(named(name).some((format) => fits(format, invalid))).toBe(false);
  });

  test('each have a sample', () => {
    for (const format of formats) {
      expect([format.name, samples.some(([name, valid]) => name === format.name && fits(format, valid))]).toEqual([format.name, true]);
    }
  });

  test('are anchored, keep no state, and name the parts that a check digit needs', () => {
    for (const { expression, checkDigit } of formats) {
      expect(expression.source).toMatch(/^\^.*\$$/);
      expect(expression.flags).toBe('');
      expect(expression.source.includes('(?<body>') && expression.source.includes('(?<check>')).toBe(checkDigit !== undefined);
    }
  });

  test('have no quantifier without a limit inside another one', () => {
    for (const { expression } of formats) expect(expression.source).not.toMatch(/[*+{][^(]*\)[*+{]/);
  });

  test('have carrier codes in lower case, each with a name', () => {
    for (const code of Object.keys(carrierNames)) expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const { code } of formats.slice(1).flatMap(({ carriers }) => carriers(''))) expect(Object.keys(carrierNames)).toContain(code);
  });

  test('are not called distinctive when random digits alone could have the form', () => {
    for (const { name, expression, form } of formats) {
      const fixedDigits = /^\^\(?(?:\?<body>)?(\d+)/.exec(expression.source)?.[1] ?? '';
      const digitsAlone = !/[A-Z]/.test(expression.source);
      if (form === 'distinctive' && digitsAlone) expect([name, fixedDigits.length >= 3]).toEqual([name, true]);
    }
  });
});
