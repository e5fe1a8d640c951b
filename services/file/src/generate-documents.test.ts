import type { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { DocumentContent, DocumentOrder, NewDocuments, RenderedDocuments } from './domain/forecast-documents.ts';
import { type GenerateDocumentsOptions, generateDocuments } from './generate-documents.ts';
import { itemOf } from './testing/document-content.ts';

const NOW = 5000;
const order: DocumentOrder = {
  tenantId: 'tnt_1',
  forecastId: 7,
  forecastNo: 'FC1',
  poNumber: 'PO-1',
  warehouseCode: 'WH-1',
  version: 1,
  dueDate: null,
  cartonCount: null,
  at: 1000,
  items: [itemOf()],
  traceparent: undefined,
};

/** What fails, by the name of the call. */
type Failures = Readonly<Record<string, unknown>>;

/** Ports that write down what is asked of them, in its order, and fail on request. */
function setUp({ failures = {}, isKnown = false, isNew = true, ssccOf }: Setup = {}) {
  const calls: string[] = [];
  const keys: string[] = [];
  const recorded: { documents: NewDocuments; event: DomainEvent<'documents.generated'> }[] = [];
  const contents: DocumentContent[] = [];
  const logged: object[] = [];
  const call = async (name: string): Promise<void> => {
    calls.push(name);
    if (name in failures) throw failures[name];
  };
  const options: GenerateDocumentsOptions = {
    blobs: {
      async put(key: string, content: Readable) {
        keys.push(key);
        let size = 0;
        for await (const piece of content) size += (piece as Buffer).length;
        await call('put');
        return { size, contentType: 'application/pdf' };
      },
      delete: () => call('delete'),
    } as unknown as GenerateDocumentsOptions['blobs'],
    pending: {
      begin: () => call('begin'),
      async abandon() {
        await call('abandon');
        return !calls.includes('recorded');
      },
      forget: () => call('forget'),
    },
    documents: {
      async hasDocuments() {
        await call('has');
        return isKnown;
      },
      async recordDocuments(_tenantId, documents, message) {
        await call('record');
        if (isNew) calls.push('recorded');
        recorded.push({ documents, event: JSON.parse(message.value) });
        return isNew;
      },
    },
    renderer: {
      async *render(content): AsyncGenerator<Uint8Array, RenderedDocuments> {
        contents.push(content);
        yield Buffer.from('0123456789');
        await call('render');
        yield Buffer.from('0123456789');
        const sections = { labelEnd: 10, copiesEnd: 12, slipStart: 12, size: 20 };
        return { sections, itemsWithoutSymbol: content.items.length > 1 ? 1 : 0, replacedCharacters: 0 };
      },
    },
    contents: {
      async readItems() {
        await call('items');
        return [itemOf(), itemOf()];
      },
    },
    clock: new ManualClock(NOW),
    logger: { ...silentLogger, info: (fields: object) => void logged.push(fields) },
    environment: 'sandbox',
    publicBaseUrl: 'https://a.test',
    fileSecret: 'secret',
    numberSecret: 'secret',
    page: '50x30',
    ssccOf,
    notify: () => void calls.push('notify'),
  };
  return { options, calls, keys, recorded, contents, logged };
}

interface Setup {
  readonly failures?: Failures;
  readonly isKnown?: boolean;
  readonly isNew?: boolean;
  readonly ssccOf?: GenerateDocumentsOptions['ssccOf'];
}

const outage = (): AppError => AppError.unavailable('out');

describe('documents', () => {
  test('are noted, stored, then recorded with the event that announces them', async () => {
    const { options, calls, keys, recorded, contents } = setUp({ ssccOf: (forecastId) => `0061414100000000${forecastId}4` });
    expect(await generateDocuments(options, order)).toBe('generated');
    expect(calls).toEqual(['has', 'begin', 'render', 'put', 'record', 'recorded', 'notify']);
    expect(contents[0]).toMatchObject({ page: '50x30', sscc: '006141410000000074', at: 1000 });
    const { documents, event } = recorded[0] as (typeof recorded)[number];
    expect(documents).toMatchObject({ storageKey: keys[0], labelEnd: 10, copiesEnd: 12, slipStart: 12, size: 20, generatedAt: NOW });
    expect(keys[0]).toMatch(/^document\/[0-9a-f]{32}$/);
    expect(event).toMatchObject({
      type: 'documents.generated',
      tenantid: 'tnt_1',
      subject: 'FC1',
      data: {
        forecast_no: 'FC1',
        po_number: 'PO-1',
        version: 1,
        sscc: '006141410000000074',
        marketplace_label: expect.stringMatching(new RegExp(`^https://a.test/files/${documents.labelToken}-[\\w-]{22}\\.pdf$`)),
        packing_slip: expect.stringMatching(new RegExp(`^https://a.test/files/${documents.slipToken}-[\\w-]{22}\\.pdf$`)),
      },
    });
  });

  test('have the same event id and URLs on every try, under another storage key', async () => {
    const tries = [setUp(), setUp()];
    for (const { options } of tries) await generateDocuments(options, order);
    const [one, two] = tries.map(({ recorded }) => recorded[0]);
    expect(one?.event).toEqual(two?.event);
    expect(one?.documents.storageKey).not.toBe(two?.documents.storageKey);
  });

  test('are not made again', async () => {
    const { options, calls } = setUp({ isKnown: true });
    expect(await generateDocuments(options, order)).toBe('repeated');
    expect(calls).toEqual(['has']);
  });

  test('that another replica has recorded meanwhile are removed', async () => {
    const { options, calls } = setUp({ isNew: false });
    expect(await generateDocuments(options, order)).toBe('repeated');
    expect(calls).toEqual(['has', 'begin', 'render', 'put', 'record', 'abandon', 'delete', 'forget']);
  });

  test('of items that the event leaves out are made of those that the forecast service has', async () => {
    const { options, calls, contents, logged } = setUp();
    await generateDocuments(options, { ...order, items: undefined });
    expect(calls.slice(0, 3)).toEqual(['has', 'items', 'begin']);
    expect(contents[0]?.items).toHaveLength(2);
    expect(logged).toEqual([expect.objectContaining({ forecast_no: 'FC1', items_without_symbol: 1 })]);
  });
});

describe('a failure', () => {
  test.each<[string, unknown, string, string[]]>([
    ['of the look-up', { has: outage() }, '50301', ['has']],
    ['of the note', { begin: outage() }, '50301', ['has', 'begin']],
    ['of the object store', { put: outage() }, '50301', ['has', 'begin', 'render', 'put', 'abandon', 'delete']],
    ['of the renderer', { render: new AppError('50000', 'why') }, '50000', ['has', 'begin', 'render', 'abandon', 'delete']],
    ['of the record', { record: outage() }, '50301', ['has', 'begin', 'render', 'put', 'record', 'abandon', 'delete', 'forget']],
  ])('%s leaves nothing behind, and its code is what it was', async (_what, failures, code, expected) => {
    const { options, calls } = setUp({ failures: failures as Failures });
    await expect(generateDocuments(options, order)).rejects.toMatchObject({ code });
    expect(calls).toEqual(expected);
  });

  test('of the forecast service stores nothing', async () => {
    const { options, calls } = setUp({ failures: { items: outage() } });
    await expect(generateDocuments(options, { ...order, items: undefined })).rejects.toMatchObject({ code: '50301' });
    expect(calls).toEqual(['has', 'items']);
  });
});
