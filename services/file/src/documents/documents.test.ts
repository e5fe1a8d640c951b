import { describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { Metrics } from '@parcelway/telemetry/metrics';
import { contentOf } from '../testing/render.ts';
import { Documents, type DocumentsOptions } from './documents.ts';
import type { DocumentContent, StoredDocuments } from './domain/forecast-documents.ts';

const NOW = 5000;
const label = { kind: 'label', tenantId: 'tnt_1', forecastNo: 'FC1', version: 1 } as const;
const stored: StoredDocuments = {
  forecastNo: 'FC1',
  version: 1,
  storageKey: 'document/other',
  labelEnd: 1,
  copiesEnd: 1,
  slipStart: 1,
  size: 2,
  generatedAt: 1,
};

interface Setup {
  /** What fails, by the name of the call. */
  readonly failures?: Readonly<Record<string, unknown>>;
  readonly isNew?: boolean;
  readonly version?: number;
  /** Items without a symbol, and as many characters that were replaced. */
  readonly odd?: number;
  readonly isErased?: (calls: readonly string[]) => boolean;
  /** What a rendering waits for. */
  readonly held?: Promise<void>;
}

/** Ports that write down what is asked of them, in its order, and fail on request. */
function setUp({ failures = {}, isNew = true, version = 1, odd = 0, isErased = () => false, held = Promise.resolve() }: Setup = {}) {
  const calls: string[] = [];
  const rendered: DocumentContent[] = [];
  const outcomes: string[] = [];
  const logged: object[] = [];
  const records = new Map<string, StoredDocuments>();
  const call = async (name: string): Promise<void> => {
    calls.push(name);
    if (name in failures) throw failures[name];
  };
  const documents = new Documents({
    blobs: {
      async put(key: string, content: AsyncIterable<Uint8Array>, mediaType: string) {
        expect([key, mediaType]).toEqual([expect.stringMatching(/^document\/[0-9a-f]{32}$/), 'application/pdf']);
        for await (const _ of content);
        await call('put');
      },
      delete: () => call('delete'),
    } as unknown as DocumentsOptions['blobs'],
    pending: {
      begin: () => call('begin'),
      async abandon() {
        await call('abandon');
        return !calls.includes('recorded');
      },
      forget: () => call('forget'),
    },
    records: {
      async findDocuments(_tenantId, forecastNo) {
        return records.get(forecastNo);
      },
      async recordDocuments(_tenantId, recorded) {
        records.set(recorded.forecastNo, isNew ? recorded : stored);
        if (isNew) calls.push('recorded');
        await call('record');
        return isNew;
      },
    },
    renderer: {
      async render(content) {
        rendered.push(content);
        await held;
        await call('render');
        const bytes = Buffer.from('0123456789');
        return {
          bytes,
          sections: { labelEnd: 10, copiesEnd: 12, slipStart: 12, size: 20 },
          itemsWithoutSymbol: odd,
          replacedCharacters: odd,
        };
      },
    },
    contents: {
      async readContent() {
        await call('read');
        const { forecastNo: _, page: __, sscc: ___, ...content } = contentOf({ version });
        return { ...content, forecastId: 7 };
      },
    },
    clock: new ManualClock(NOW),
    logger: { ...silentLogger, info: (fields: object) => void logged.push(fields) },
    metrics: { count: (_: string, { outcome }: { outcome: string }) => outcomes.push(outcome), observe() {} } as unknown as Metrics,
    page: '60x40',
    ssccOf: (forecastId) => `00614141000000000${forecastId}`,
    isErased: () => isErased(calls),
  });
  return { documents, calls, rendered, outcomes, logged };
}

const codeOf = (work: Promise<unknown>): Promise<string> => work.then(String, (error: unknown) => (error as AppError).code);
const outage = AppError.unavailable('out');

describe('documents that nobody has opened', () => {
  test('are rendered, stored, then recorded; from then on they are only found', async () => {
    const { documents, calls, rendered, outcomes } = setUp();
    const opened = await documents.open(label);
    expect(opened).toMatchObject({ forecastNo: 'FC1', version: 1, labelEnd: 10, size: 20, generatedAt: NOW });
    expect(rendered).toEqual([expect.objectContaining({ forecastNo: 'FC1', page: '60x40', sscc: '006141410000000007' })]);
    expect(await documents.open({ ...label, kind: 'slip' })).toEqual(opened);
    expect(calls).toEqual(['read', 'begin', 'render', 'put', 'recorded', 'record']);
    expect(outcomes).toEqual(['generated']);
  });

  test('are rendered once for all that open them at the same time', async () => {
    const { documents, rendered } = setUp();
    const opened = await Promise.all([label, { ...label, kind: 'slip' } as const, label].map((named) => documents.open(named)));
    expect(new Set(opened).size).toBe(1);
    expect(rendered).toHaveLength(1);
  });

  test('of a version that was corrected since then are not there', async () => {
    const { documents, outcomes } = setUp({ version: 2 });
    await expect(documents.open(label)).rejects.toMatchObject({ code: '40403', message: expect.stringContaining('was corrected') });
    expect(outcomes).toEqual([]);
  });

  test('that another process was quicker with are those of the other, and its own content is removed', async () => {
    const { documents, calls } = setUp({ isNew: false });
    expect(await documents.open(label)).toEqual(stored);
    expect(calls).toEqual(['read', 'begin', 'render', 'put', 'record', 'abandon', 'delete', 'forget']);
  });

  test('lack barcodes or characters, which is logged', async () => {
    const { documents, logged } = setUp({ odd: 2 });
    await documents.open(label);
    expect(logged).toEqual([{ tenant_id: 'tnt_1', forecast_no: 'FC1', version: 1, items_without_symbol: 2, replaced_characters: 2 }]);
  });

  test('of an erased tenant are not there, nor of one that was erased meanwhile', async () => {
    const absent = { code: '40403', message: expect.stringContaining('The file does not exist') };
    await expect(setUp({ isErased: () => true }).documents.open(label)).rejects.toMatchObject(absent);
    const { documents, calls } = setUp({ isErased: (before) => before.includes('put') });
    expect(await codeOf(documents.open(label))).toBe('40403');
    expect(calls).toEqual(['read', 'begin', 'render', 'put', 'abandon', 'delete', 'forget']);
  });

  test.each([
    ['read', outage, '50301', []],
    ['begin', outage, '50301', []],
    ['render', new AppError('50000'), '50000', ['abandon', 'delete']],
    ['put', outage, '50301', ['abandon', 'delete']],
    // The store may have recorded them all the same.
    ['record', outage, '50301', ['abandon']],
  ] as const)('leave nothing behind when %s fails, and are rendered at the next opening', async (step, error, code, cleared) => {
    const { documents, calls, outcomes } = setUp({ failures: { [step]: error } });
    expect(await codeOf(documents.open(label))).toBe(code);
    expect(calls.slice(calls.indexOf(step) + 1)).toEqual(cleared);
    expect(outcomes).toEqual(['failed']);
    if (step !== 'record') expect(await codeOf(documents.open(label))).toBe(code);
  });
});

test('a version that cannot be rendered is rendered again after a second, then after eight', async () => {
  const { documents, rendered } = setUp({ failures: { render: new AppError('50000') } });
  const clock = jest.spyOn(performance, 'now');
  const counts: number[] = [];
  for (const at of [10_000, 10_999, 11_001, 19_000, 19_002]) {
    clock.mockReturnValue(at);
    await codeOf(documents.open(label));
    counts.push(rendered.length);
  }
  clock.mockRestore();
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});

test('one tenant fills half of the places, and the others have theirs', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { documents, outcomes } = setUp({ held });
  const openings = Array.from({ length: 501 }, (_, at) => codeOf(documents.open({ ...label, forecastNo: `FC${at}` })));
  await expect(documents.open({ ...label, forecastNo: 'FC-MORE' })).rejects.toMatchObject({ code: '50301', retryAfterSeconds: 2 });
  const other = codeOf(documents.open({ ...label, tenantId: 'tnt_2', forecastNo: 'FC-OTHER' }));
  release();
  expect(await other).toBe('[object Object]');
  expect((await Promise.all(openings)).filter((each) => each === '50301')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(2);
});
