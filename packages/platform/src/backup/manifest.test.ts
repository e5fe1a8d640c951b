import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { writeHashed } from './hashed-file.ts';
import { fingerprintOf, type Manifest, makeBackupFolder, readManifest, verifyFiles, writeManifest } from './manifest.ts';

describe('manifest of a backup', () => {
  const folder = useDirectory();
  let manifest: Manifest;
  beforeEach(async () => {
    const file = {
      path: 'mongodb/forecast/forecasts.bson',
      ...(await writeHashed(join(folder.path, 'mongodb/forecast/forecasts.bson'), Readable.from([Buffer.from('content')]))),
    };
    manifest = {
      format: 1,
      mode: 'distributed',
      environment: 'sandbox',
      began_at: '2026-01-01T00:00:00.000Z',
      ended_at: '2026-01-01T00:00:01.000Z',
      file_secret: fingerprintOf('f'.repeat(40)),
      files: [file],
    };
    writeManifest(folder.path, manifest);
  });

  test('comes back as it was written, and its files as they were', async () => {
    expect(await readManifest(folder.path)).toEqual(manifest);
    await expect(verifyFiles(folder.path, manifest)).resolves.toBeUndefined();
  });

  test('a file that was changed, cut or lost is named', async () => {
    const file = join(folder.path, 'mongodb/forecast/forecasts.bson');
    writeFileSync(file, 'CONTENT');
    await expect(verifyFiles(folder.path, manifest)).rejects.toThrow(/forecasts\.bson of the backup has changed since it was written/);
    truncateSync(file, 3);
    await expect(verifyFiles(folder.path, manifest)).rejects.toThrow(/has changed since it was written/);
    rmSync(file);
    await expect(verifyFiles(folder.path, manifest)).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });

  test('a backup that was not finished, one of another version, and one that leads out of its folder are refused', async () => {
    writeManifest(folder.path, { ...manifest, files: [{ path: '../secret', bytes: 1, sha256: '' }] });
    await expect(readManifest(folder.path)).rejects.toThrow(/outside of the backup/);
    writeFileSync(join(folder.path, 'manifest.json'), '{"format":2}');
    await expect(readManifest(folder.path)).rejects.toThrow(/another version/);
    rmSync(join(folder.path, 'manifest.json'));
    await expect(readManifest(folder.path)).rejects.toThrow(/not finished/);
  });

  test('a folder in use is not written to, and the fingerprint distinguishes secrets without revealing them', async () => {
    await expect(makeBackupFolder(folder.path)).rejects.toThrow(/is not empty/);
    expect(fingerprintOf('a'.repeat(40))).not.toBe(fingerprintOf('b'.repeat(40)));
    expect(fingerprintOf('canary')).not.toContain('canary');
  });
});
