import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ElementCount, readXml } from './xml-events.ts';

test('the elements of all parts of a file are counted, also those that mean nothing', async () => {
  const elements = new ElementCount(5);
  const read = (xml: string): Promise<void> => readXml(Readable.from([Buffer.from(xml)]), {}, elements);
  await read('<a><b/><b/></a>');
  await read('<a><b/></a>');
  await expect(read('<a/>')).rejects.toMatchObject({ code: '42206', message: expect.stringContaining('more than 5 XML elements') });
});
