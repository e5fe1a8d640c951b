import { expect, test } from '@jest/globals';
import { readPushBurstOptions } from './options.ts';

test('a burst is of 10,000 pushes over 64 connections unless asked otherwise', () => {
  expect(readPushBurstOptions([])).toEqual({ pushes: 10_000, connections: 64, json: false, help: false });
  expect(readPushBurstOptions(['--pushes', '500', '--connections', '8', '--json'])).toMatchObject({
    pushes: 500,
    connections: 8,
    json: true,
  });
});

test('a number that is none, or too large, is named with what is allowed', () => {
  expect(() => readPushBurstOptions(['--pushes', 'many'])).toThrow('--pushes takes an integer from 1 to 1000000, not many');
  expect(() => readPushBurstOptions(['--connections', '201'])).toThrow('--connections takes an integer from 1 to 200, not 201');
  expect(() => readPushBurstOptions(['--seconds', '1'])).toThrow('--seconds');
});
