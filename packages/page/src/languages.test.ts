import { expect, test } from '@jest/globals';
import { languageOf } from './languages.ts';

test.each([
  [['zh-Hans-CN', 'en'], 'zh'],
  [['fr', 'zh-TW', 'en'], 'zh'],
  [['en-US', 'zh'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('for %j the page uses %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
