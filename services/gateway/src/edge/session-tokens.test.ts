import { expect, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { SessionTokens } from './session-tokens.ts';

const FORMER = 'the-former-secret-of-the-installation-'.padEnd(40, 'f');
const CURRENT = 'the-current-secret-of-the-installation'.padEnd(40, 'c');

test('a token says neither its key nor what it may do, and no two are the same', () => {
  const tokens = new SessionTokens([CURRENT]);
  const [first, second] = [tokens.seal('hash-of-the-key', ['weighing:read'], 7), tokens.seal('hash-of-the-key', ['weighing:read'], 7)];
  expect(first).not.toBe(second);
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('weighing');
  expect(tokens.isToken(first)).toBe(true);
  expect(tokens.open(first)).toEqual({ keyHash: 'hash-of-the-key', scopes: ['weighing:read'], expiresAt: 7 });
});

test('several gateways take the tokens of each other while a secret is replaced, and those of the former one end with it', () => {
  const before = new SessionTokens([FORMER, CURRENT]);
  const during = new SessionTokens([CURRENT, FORMER]);
  const after = new SessionTokens([CURRENT]);
  const [old, made] = [before.seal('h', null, 7), during.seal('h', null, 7)];
  expect([before.open(made), during.open(old), after.open(made)].every((opened) => opened?.keyHash === 'h')).toBe(true);
  expect(after.open(old)).toBeUndefined();
});

test('what was changed, or sealed for another purpose, opens nothing', () => {
  const tokens = new SessionTokens([CURRENT]);
  const token = tokens.seal('h', ['weighing:read'], 7);
  const content = token.lastIndexOf('.') + 1;
  for (let at = content; at < token.length - 1; at += 7) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(tokens.open(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
  }
  expect(tokens.open(`pfs_${createTextSealer([CURRENT]).seal('[1,"h",null,7]', 'a recorded response')}`)).toBeUndefined();
});
