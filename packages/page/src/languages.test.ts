import { expect, test } from '@jest/globals';
import { languageOf, wordsIn } from './languages.ts';

test.each([
  [['zh-Hans-CN', 'en'], 'zh'],
  [['fr', 'zh-TW', 'en'], 'zh'],
  [['en-US', 'zh'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('for %j the page uses %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});

test('a text is filled with its values, which stay as they are, and a number of things agrees with the number', () => {
  const words = { copy: ['{0|file|files} of {1}', '{1} 的 {0} 个文件'], none: ['No {file}', '无'] } as const;
  const [en, zh] = [wordsIn(words, 0), wordsIn(words, 1)];
  expect([en.copy(1, '{0} $&'), en.copy(2, 'b'), zh.copy(2, 'b'), en.none]).toEqual([
    '1 file of {0} $&',
    '2 files of b',
    'b 的 2 个文件',
    'No {file}',
  ]);
});
