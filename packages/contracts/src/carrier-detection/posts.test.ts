import { describe, expect, test } from '@jest/globals';
import { postsOf } from './posts.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codesOf = (trackingNumber: string): string[] => postsOf(trackingNumber).map(({ code }) => code);

describe('the posts of S10 numbers', () => {
  test.each([
    ['RB123456785GB', ['royal-mail']],
    ['LZ123456785US', ['usps']],
    ['LM123456785CA', ['canada-post']],
    ['UB123456785LV', ['latvia-post']],
    ['LP123456785CN', ['china-post']],
    ['EA123456785CN', ['china-ems', 'china-post']],
    ['XY123456785FR', ['la-poste', 'chronopost']],
    ['RR123456785KE', ['post-ke']],
  ])('%s is of %j', (trackingNumber, codes) => {
    expect(codesOf(trackingNumber)).toEqual(codes);
  });

  test.each(['RB123456785XX', 'UY894729184YP', 'AA123456785YQ', 'AA123456785UK'])('%s is of nobody', (trackingNumber) => {
    expect(codesOf(trackingNumber)).toEqual([]);
  });

  test('know about 230 countries and territories, each by a code in lower case', () => {
    const countries = letters.flatMap((one) => letters.map((other) => one + other)).filter((country) => codesOf(country).length > 0);
    expect(countries.length).toBeGreaterThan(220);
    expect(countries.length).toBeLessThan(250);
    for (const country of countries) for (const code of codesOf(country)) expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });
});
