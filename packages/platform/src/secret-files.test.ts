import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { secretVariables, withSecretFiles } from './secret-files.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parcelway-secrets-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const fileOf = (content: string): string => {
  const file = join(directory, 'secret');
  writeFileSync(file, content);
  return file;
};

test.each(secretVariables)('%s may be given as a file', (name) => {
  expect(withSecretFiles({ [`${name}_FILE`]: fileOf(' value\n'), OTHER: 'x' })).toMatchObject({ [name]: 'value', OTHER: 'x' });
});

test('values read from files can be passed on and read again', () => {
  const once = withSecretFiles({ ADMIN_TOKEN_FILE: fileOf('value') });
  expect(withSecretFiles(once)).toEqual({ ADMIN_TOKEN: 'value' });
});

test('what is no secret is not read from a file, and an empty name of a file is none', () => {
  const env = { PORT_FILE: fileOf('1'), ADMIN_TOKEN_FILE: '' };
  expect(withSecretFiles(env)).toEqual(env);
});

test('names what is given twice and what cannot be read, and shows neither', () => {
  const env = { MONGODB_URL: 'hunter2', MONGODB_URL_FILE: fileOf('hunter2'), REDIS_URL_FILE: join(directory, 'hunter2') };
  expect(() => withSecretFiles(env)).toThrow(/MONGODB_URL and MONGODB_URL_FILE are both set.*\n.*REDIS_URL_FILE cannot be read \(ENOENT\)/);
  expect(() => withSecretFiles(env)).not.toThrow(/hunter2/);
});
