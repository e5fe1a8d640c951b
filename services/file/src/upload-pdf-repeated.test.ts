import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FileServiceUnderTest, pdf } from './testing/file-service.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

const fetched = async (url: unknown) => Buffer.from(await (await service.open(url)).arrayBuffer());

describe('the same content', () => {
  test('is stored once per tenant, whatever its name', async () => {
    const content = pdf(4011, 11);
    const first = await service.uploadPdf([{ name: 'one.pdf', content }], 'tnt_a');
    const again = await service.uploadPdf([{ name: 'two.pdf', content }], 'tnt_a');
    expect(again.data).toEqual({ ...first.data, deduplicated: true });
    // Of its own size only: an upload of before that broke off may be cleared away at any moment.
    expect(await service.contentCount(content.length)).toBe(1);
    const other = await service.uploadPdf([{ name: 'one.pdf', content }], 'tnt_b');
    expect(other.data).toMatchObject({ deduplicated: false });
    expect(other.data.url).not.toBe(first.data.url);
    expect(other.data.attachment_id).not.toBe(first.data.attachment_id);
  });

  test('eight times at once is one content and one record', async () => {
    const content = pdf(700_012, 12);
    const responses = await Promise.all(Array.from({ length: 8 }, () => service.uploadPdf([{ name: 'same.pdf', content }], 'tnt_c')));
    expect(responses.map((response) => response.code)).toEqual(Array(8).fill('0'));
    expect(responses.filter((response) => response.data.deduplicated === false)).toHaveLength(1);
    expect(new Set(responses.map((response) => response.data.attachment_id)).size).toBe(1);
    expect(new Set(responses.map((response) => response.data.url)).size).toBe(1);
    expect(await service.contentCount(content.length)).toBe(1);
    expect((await fetched(responses[0]?.data.url)).equals(content)).toBe(true);
  });
});
