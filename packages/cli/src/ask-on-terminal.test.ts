import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { askOnTerminal } from './ask-on-terminal.ts';

async function responded(typed: string): Promise<{ readonly yes: boolean; readonly shown: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = askOnTerminal('Really?', input, output);
  input.end(typed);
  const yes = await asked;
  return { yes, shown: String(output.read()) };
}

test.each([
  ['y\n', true],
  ['YES \n', true],
  ['n\n', false],
  ['\n', false],
  ['yesterday\n', false],
  ['', false],
])('%j gets %p', async (typed, yes) => {
  expect(await responded(typed)).toEqual({ yes, shown: 'Really? [y/N] ' });
});
