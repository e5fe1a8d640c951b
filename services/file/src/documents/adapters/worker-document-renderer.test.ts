import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { contentOf, itemOf, render } from '../../testing/render.ts';
import type { DocumentContent } from '../domain/forecast-documents.ts';
import { type RendererLimits, WorkerDocumentRenderer } from './worker-document-renderer.ts';

let renderer: WorkerDocumentRenderer;
const open = (limits?: RendererLimits): WorkerDocumentRenderer => {
  renderer = new WorkerDocumentRenderer(silentLogger, limits);
  return renderer;
};
afterEach(() => renderer.close());

const content = contentOf({ items: [itemOf({ product_name_cn: '纯棉T恤' })] });
const items = (count: number, changes = {}) =>
  Array.from({ length: count }, (_, index) => itemOf({ sku_code: `SKU-${index}`, ...changes }));

/** What no label can show: rendering it throws. */
const broken: DocumentContent = { ...content, items: [itemOf({ sku_code: undefined as unknown as string })] };

describe('the renderer', () => {
  test('renders beside the event loop what the same code renders on it', async () => {
    const { bytes, sections } = await open().render(content);
    expect(Buffer.from(bytes).subarray(0, sections.labelEnd).equals(render(content).label)).toBe(true);
    expect(bytes.length).toBe(sections.size);
  });

  test('says why documents cannot be rendered, and renders others', async () => {
    open();
    const other = renderer.render(content);
    await expect(renderer.render(broken)).rejects.toMatchObject({
      code: '50000',
      message: expect.stringMatching(/^The documents cannot be rendered: .+/),
    });
    expect((await other).bytes.length).toBeGreaterThan(0);
    expect((await renderer.render(content)).bytes.length).toBeGreaterThan(0);
  });

  test.each<[string, RendererLimits]>([
    ['the deadline', { deadlineMs: 1 }],
    ['the heap', { maxHeapMb: 4 }],
  ])('ends a rendering that exceeds %s, each time', async (_what, limits) => {
    open(limits);
    const heavy = contentOf({ items: items(2000, { product_name_cn: '纯棉T恤'.repeat(100) }) });
    for (let tries = 0; tries < 2; tries += 1) await expect(renderer.render(heavy)).rejects.toMatchObject({ code: '50000' });
  });

  test('is not asked any more once it is closed', async () => {
    open();
    const underWay = expect(renderer.render(content)).rejects.toMatchObject({ code: '50301' });
    await renderer.close();
    await underWay;
    await expect(renderer.render(content)).rejects.toMatchObject({ code: '50301' });
  });
});

/** Nice values of the threads of this process. */
const niceValues = (): readonly number[] =>
  readdirSync('/proc/self/task').map((task) => {
    const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[16]);
  });

const [testOnLinux, needs] = process.platform === 'linux' ? [test, ''] : [test.skip, '; needs Linux'];
testOnLinux(`the thread gives way to requests${needs}`, async () => {
  const before = niceValues().filter((nice) => nice >= 10).length;
  await open().render(content);
  expect(niceValues().filter((nice) => nice >= 10).length).toBeGreaterThan(before);
});
