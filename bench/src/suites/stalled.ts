import { readFileSync } from 'node:fs';
import type { UploadedFile } from '@parcelway/contracts/file-api';
import { samplePdf } from '@parcelway/harness/sample-data';
import { openMany, UnreadClient } from '@parcelway/harness/unread-client';
import { residentMegabytesOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { type Row, rowOf } from '../report/row.ts';
import { onStage, type Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';
import { pause, type Suite, type SuiteOptions } from '../suite.ts';
import { responseTimes } from './latency.ts';
import { Uploader } from './uploads.ts';

const FILE_BYTES = 9_000_000;
const UNREAD_FILES = 280;
const UNREAD_FORECASTS = 270;
const UNREAD_PAGES = 300;
const ITEMS = 2000;
/** The most memory that unread pages may cost, MiB. */
const PAGE_BUDGET = 50;
/** Later than the gateway ends connections whose client does not read. */
const ENDED_AFTER_MS = 36_000;
const PER_SECOND = 50;
const LIMIT_MS = 60_000;

/** How long things take that other clients do, milliseconds. */
interface Others {
  readonly download: number;
  readonly upload: number;
  readonly p99: number;
}

/** What a measure works with. */
interface Scene {
  readonly stage: Stage;
  readonly ca: string;
  readonly port: number;
  /** Two files of 9 MB: one that is left unread and one that others open. */
  readonly unreadFile: string;
  readonly otherFile: string;
  readonly others: RawClient;
  readonly uploader: Uploader;
  /** A forecast with many long items, read with the key of a tenant that nobody else uses. */
  readonly forecast: string;
  readonly key: string;
}

/** Time of one piece of work; a failure counts as long as a client would wait. */
async function timed(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  const done = await work.then(
    () => true,
    () => false,
  );
  return done ? performance.now() - started : LIMIT_MS;
}

async function measureOthers({ others, otherFile, uploader }: Scene, quick: boolean): Promise<Others> {
  const download = await timed(others.fetch(otherFile));
  const upload = await timed(uploader.uploadOne(others));
  const times = await responseTimes(PER_SECOND, quick ? 50 : 250, () => others.send('GET', '/open/v1/forecasts?limit=1', null));
  return { download, upload, p99: percentile(times, 99) };
}

/** Each address is one client to the gateway. */
const addressOf = (index: number): string => `127.0.0.${2 + Math.floor(index / 150)}`;

function openUnread({ port, ca }: Scene, count: number, head: string): Promise<UnreadClient[]> {
  const bytes = `GET ${head}\r\nHost: localhost\r\n`;
  return openMany(count, (index) => UnreadClient.open({ port, ca, from: addressOf(index) }, `${bytes}\r\n`));
}

async function whileUnread<T>(clients: Promise<UnreadClient[]>, work: () => Promise<T>): Promise<T> {
  const open = await clients;
  try {
    // Until the responses fill what they can fill.
    await pause(1500);
    return await work();
  } finally {
    for (const client of open) client.destroy();
    await pause(500);
  }
}

function longForecast(warehouseCode: string): string {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    sku_code: `SKU-${index}-`.padEnd(100, 'x'),
    product_name_en: `Item ${index} `.padEnd(200, 'y'),
    product_name_cn: '纯'.repeat(300),
    product_image: `https://images.example/${index}/`.padEnd(1000, 'z'),
    forecast_quantity: 1,
  }));
  return JSON.stringify({ po_number: 'PO-LONG', forecast_type: 1, warehouse_code: warehouseCode, items });
}

async function upload(stage: Stage, mark: string): Promise<string> {
  const content = Buffer.concat([samplePdf(mark), Buffer.alloc(FILE_BYTES, mark), samplePdf(mark)]);
  const response = await stage.platform.client(stage.tenantKey).upload<UploadedFile>('/open/v1/files/pdf', 'a.pdf', content);
  if (response.code !== '0') throw new Error(response.text);
  return new URL(response.data.url).pathname;
}

async function setScene(stage: Stage): Promise<Scene> {
  const { quickstart } = stage.platform;
  const admin = stage.platform.admin();
  const tenant = await admin.expectOk<{ id: string }>('/admin/v1/tenants', { body: { name: 'Does not read' } });
  const { key } = await admin.expectOk<{ key: string }>('/admin/v1/keys', {
    body: { tenant_id: tenant.id, rate_limit: { per_second: 20, burst: 300 } },
  });
  await stage.platform
    .client(key)
    .expectOk('/open/v1/forecasts', { body: longForecast(stage.warehouseCode), headers: { 'content-type': 'application/json' } });
  return {
    stage,
    ca: readFileSync(quickstart.ca_file, 'utf8'),
    port: Number(new URL(quickstart.base_url).port),
    unreadFile: await upload(stage, 'unread'),
    otherFile: await upload(stage, 'other'),
    others: stage.client(stage.tenantKey, 10),
    uploader: new Uploader(1),
    forecast: '/open/v1/forecasts/PO-LONG',
    key,
  };
}

function rowsOfOthers(what: string, idle: Others, during: Others): Row[] {
  const row = (name: string, field: keyof Others): Row =>
    rowOf({ suite: 'stalled', name: `${name}, ${what}`, unit: 'ms', reference: 'the same, idle', better: 'lower' }, [
      { ours: during[field], reference: idle[field] },
    ]);
  return [row('Another file of 9 MB', 'download'), row('An upload of 1 MB', 'upload'), row('Short requests of others, p99', 'p99')];
}

async function memoryOfPages(scene: Scene): Promise<Row[]> {
  const { pid } = scene.stage.platform;
  const before = residentMegabytesOf(pid);
  const growth = await whileUnread(
    openUnread(scene, UNREAD_PAGES, '/docs/openapi/swagger-ui-bundle.js HTTP/1.1'),
    async () => residentMegabytesOf(pid) - before,
  );
  const about = { suite: 'stalled', unit: 'MiB', better: 'lower' } as const;
  return [
    rowOf({ ...about, name: `Memory for ${UNREAD_PAGES} unread pages`, reference: 'allowed' }, [{ ours: growth, reference: PAGE_BUDGET }]),
  ];
}

/** How many of the connections are still open after the gateway should have ended them. */
async function leftOpen(scene: Scene): Promise<Row> {
  const clients = await openUnread(scene, UNREAD_PAGES, '/docs/openapi/swagger-ui-bundle.js HTTP/1.1');
  try {
    await pause(ENDED_AFTER_MS);
    for (const client of clients) client.read();
    await pause(2000);
    const open = clients.filter(({ closed }) => !closed).length;
    return rowOf({ suite: 'stalled', name: `Connections open 36 s later`, unit: '', reference: 'opened', better: 'lower' }, [
      { ours: open, reference: UNREAD_PAGES },
    ]);
  } finally {
    for (const client of clients) client.destroy();
  }
}

async function measure(options: SuiteOptions, scene: Scene): Promise<Row[]> {
  const { quick } = options.scale;
  const others = (): Promise<Others> => measureOthers(scene, quick);
  await others();
  options.progress('others while nobody stalls');
  const idle = await others();
  options.progress('unread pages');
  const pages = await memoryOfPages(scene);
  options.progress('unread files');
  const files = await whileUnread(openUnread(scene, UNREAD_FILES, `${scene.unreadFile} HTTP/1.1`), others);
  options.progress('unread forecasts');
  const forecasts = await whileUnread(openUnread(scene, UNREAD_FORECASTS, `${scene.forecast} HTTP/1.1\r\nX-Api-Key: ${scene.key}`), others);
  const rows = [
    ...rowsOfOthers(`${UNREAD_FILES} files unread`, idle, files),
    ...rowsOfOthers(`${UNREAD_FORECASTS} forecasts unread`, idle, forecasts),
    ...pages,
  ];
  if (quick) return rows;
  options.progress('the end of unread connections');
  return [...rows, await leftOpen(scene)];
}

/** What clients that do not read their responses cost the others, and in memory. */
export const stalled: Suite = (options) => onStage(async (stage) => measure(options, await setScene(stage)));
