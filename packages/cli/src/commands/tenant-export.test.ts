import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
const TENANT = '/admin/v1/tenants/tnt_1/export';

let folder: string;
beforeEach(() => {
  folder = parcelctl.directory;
});

/** An installation with two kinds, one of them in two pages, and a file and a photo. @param failAt a path that breaks the connection */
function installation(failAt?: string): void {
  parcelctl.server.respondWith((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
    if (pathname === failAt) res.destroy();
    else if (pathname === TENANT) {
      const kinds = [
        { service: 'file', kind: 'files' },
        { service: 'forecast', kind: 'photos' },
      ];
      res.end(JSON.stringify({ code: '0', message: 'success', data: { kinds } }));
    } else if (pathname === `${TENANT}/file/files` && !searchParams.has('after')) {
      res.setHeader('Next-After', encodeURIComponent('["ü",1]')).end('{"token":"pdf1"}\n{"token":"../evil"}\n');
    } else if (pathname === `${TENANT}/file/files`) res.end(searchParams.get('after') === '["ü",1]' ? '{"token":"pdf2"}\n' : 'wrong');
    else if (pathname === `${TENANT}/forecast/photos`) res.end('{"tokens":["photo1","gone"]}\n');
    else if (pathname === `${TENANT}/contents/gone`) res.writeHead(404).end('{"code":"40403","message":"none","data":null}');
    else
      res
        .setHeader('Content-Type', pathname.endsWith('photo1') ? 'image/png' : 'application/pdf')
        .end(`bytes of ${pathname.split('/').at(-1)}`);
  });
}

const namesIn = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const all = ['file/files.ndjson', 'files/pdf1.pdf', 'files/pdf2.pdf', 'forecast/photos.ndjson', 'manifest.json', 'photos/photo1.png'];

test('writes all pages, the contents that they name, and a manifest of all files', async () => {
  installation();
  const { code, out, err } = await parcelctl.run(['tenant', 'export', 'tnt_1', '--to', folder]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Exported tnt_1 to .*: 4 records, 3 new contents, \d+ bytes\. 1 contents are gone already\.\n$/),
  ]);
  expect(err).toContain('file/files: 3 records, done');
  expect(namesIn()).toEqual(all);
  expect(readFileSync(join(folder, 'file/files.ndjson'), 'utf8')).toBe('{"token":"pdf1"}\n{"token":"../evil"}\n{"token":"pdf2"}\n');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ tenant_id: 'tnt_1', version: expect.any(String), missing_contents: 1 });
  expect(manifest.records).toEqual({ 'file/files': 3, 'forecast/photos': 1 });
  const photo = 'bytes of photo1';
  const sha256 = createHash('sha256').update(photo).digest('hex');
  expect(manifest.files).toContainEqual({ name: 'photos/photo1.png', bytes: photo.length, sha256 });
  expect(manifest.files).toHaveLength(all.length - 1);
});

test('is without a manifest when it was interrupted, and goes on with what is missing', async () => {
  installation(`${TENANT}/contents/pdf2`);
  const { code } = await parcelctl.run(['tenant', 'export', 'tnt_1', '--to', folder]);
  expect([code, existsSync(join(folder, 'manifest.json'))]).toEqual([3, false]);
  expect(JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8'))).toMatchObject({ tenant_id: 'tnt_1' });
  writeFileSync(join(folder, 'files/pdf3.part'), 'half');
  installation();
  const before = parcelctl.server.seen.length;
  const again = await parcelctl.run(['tenant', 'export', 'tnt_1', '--to', folder, '--json']);
  expect(JSON.parse(again.out)).toMatchObject({ tenant_id: 'tnt_1', records: 4, contents: 2 });
  const asked = parcelctl.server.seen.slice(before).map(({ url }) => url);
  expect(asked).not.toContain(`${TENANT}/contents/pdf1`);
  expect(namesIn()).toEqual(all);
});

test('refuses a folder with anything else, and leaves it as it is', async () => {
  installation(`${TENANT}/contents/pdf2`);
  await parcelctl.run(['tenant', 'export', 'tnt_1', '--to', folder]);
  const refused = async (tenantId: string) => {
    const { code, err } = await parcelctl.run(['tenant', 'export', tenantId, '--to', folder]);
    return [code, err.trim().split('\n')[0]];
  };
  parcelctl.server.respondWith((_req, res) => res.end(JSON.stringify({ code: '0', message: 'success', data: { kinds: [] } })));
  const before = namesIn();
  expect(await refused('tnt_2')).toEqual([2, expect.stringContaining('has an export of tnt_1')]);
  installation();
  expect((await parcelctl.run(['tenant', 'export', 'tnt_1', '--to', folder])).code).toBe(0);
  expect(await refused('tnt_1')).toEqual([2, expect.stringContaining('has a complete export already')]);
  expect(namesIn()).toEqual(all);
  expect(before).toContain('files/pdf1.pdf');
  for (const name of namesIn()) rmSync(join(folder, name));
  writeFileSync(join(folder, 'mine.part'), 'not of an export');
  expect(await refused('tnt_1')).toEqual([2, expect.stringContaining('is not empty')]);
  expect(namesIn()).toEqual(['mine.part']);
});
