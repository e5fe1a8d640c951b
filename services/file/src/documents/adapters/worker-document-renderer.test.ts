import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { contentOf, itemOf, render } from '../../testing/render.ts';
import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
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

async function all(rendering: AsyncGenerator<Uint8Array, RenderedDocuments>): Promise<{ bytes: Buffer; rendered: RenderedDocuments }> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const step = await rendering.next();
    if (step.done) return { bytes: Buffer.concat(pieces), rendered: step.value };
    pieces.push(step.value);
  }
}

/** What no label can show: rendering it throws. */
const broken: DocumentContent = { ...content, items: [itemOf({ sku_code: undefined as unknown as string })] };

describe('the renderer', () => {
  test('renders beside the event loop what the same code renders on it', async () => {
    const { bytes, rendered } = await all(open().render(content));
    expect(bytes.subarray(0, rendered.sections.labelEnd).equals(render(content).label)).toBe(true);
    expect(bytes.length).toBe(rendered.sections.size);
  });

  test('draws nothing ahead of whoever takes the pieces, and forgets what is cancelled', async () => {
    open();
    const given = renderer.render(contentOf({ items: items(2000) }));
    expect((await given.next()).done).toBe(false);
    await given.return(undefined as never);
    expect((await all(renderer.render(content))).rendered.sections.size).toBeGreaterThan(0);
  });

  test('says why documents cannot be rendered, and renders others', async () => {
    open();
    const other = all(renderer.render(content));
    await expect(all(renderer.render(broken))).rejects.toMatchObject({
      code: '50000',
      message: expect.stringMatching(/^The documents cannot be rendered: .+/),
    });
    expect((await other).bytes.length).toBeGreaterThan(0);
  });

  test.each<[string, RendererLimits]>([
    ['the deadline', { deadlineMs: 1 }],
    ['the heap', { maxHeapMb: 4 }],
  ])('ends a rendering that exceeds %s, asks for another try of those beside it, and goes on', async (_what, limits) => {
    open(limits);
    const heavy = all(renderer.render(contentOf({ items: items(2000, { product_name_cn: '纯棉T恤'.repeat(100) }) })));
    const beside = all(renderer.render(content));
    const outcomes = await Promise.allSettled([heavy, beside]);
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason?.code)).toEqual(['50000', '50301']);
  });

  test('is not asked any more once it is closed', async () => {
    open();
    const interrupted = expect(all(renderer.render(content))).rejects.toMatchObject({ code: '50301' });
    await renderer.close();
    await interrupted;
    await expect(all(renderer.render(content))).rejects.toMatchObject({ code: '50301' });
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
  await all(open().render(content));
  expect(niceValues().filter((nice) => nice >= 10).length).toBe(before + 1);
});
