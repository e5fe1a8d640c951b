import { expect, test } from '@jest/globals';
import { type TypedKeys, withKey } from './scan-keys.ts';

const press = (...keys: string[]): TypedKeys =>
  keys.reduce<TypedKeys>(({ typed }, key) => withKey(typed, key), { typed: '', taken: false });

test('a number and Enter are a scan, with its spaces and capitals', () => {
  expect(press(...'SF 123', 'Shift', ...'-X', 'Enter')).toEqual({ typed: '', scan: 'SF 123-X', taken: true });
});

test.each([['Enter'], ['R', 'Enter'], [' '], ['Tab'], ['S', 'F', '1', '2', 'Tab', 'Enter'], ['S', 'F', '1', '2', 'Escape', 'Enter']])(
  'the keys %j are left to the button that has the focus',
  (...keys) => {
    expect(press(...keys)).toEqual({ typed: '', taken: false });
  },
);

test('what is typed is bounded', () => {
  expect(press(...'9'.repeat(2000)).typed).toHaveLength(1024);
});
