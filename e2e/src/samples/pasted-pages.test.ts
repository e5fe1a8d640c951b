import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { samplePdf } from '@parcelway/harness/sample-data';
import { useDirectory } from '../use-directory.ts';
import { useStage } from '../use-stage.ts';
import { clientForPython, lacksForClient, runProgram } from './run-sample.ts';

/* The guide of the client for Python, its programs run one after the other as a reader pastes them. */

/** A block of code of a page. */
interface Block {
  /** Heading above it. */
  readonly title: string;
  readonly fence: string;
  readonly text: string;
}

const stage = useStage({ RATE_LIMITS: 'off' });
const directory = useDirectory();

/** The blocks of a page, in its order. */
async function blocksOf(path: string): Promise<Block[]> {
  const { status, text } = await stage.platform.client(null).call(path);
  expect([path, status]).toEqual([path, 200]);
  return text.split(/^#{2,3} /m).flatMap((section) => {
    const title = section.split('\n')[0] ?? '';
    return [...section.matchAll(/^```([a-z]+)\n([\s\S]*?)^```$/gm)].map(([, fence = '', code = '']) => ({ title, fence, text: code }));
  });
}

/** A new folder of a reader. */
function newFolder(name: string): string {
  const folder = join(directory.path, name);
  mkdirSync(folder);
  return folder;
}

/** The variables of a terminal that was just opened. */
const terminal = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  DATA_DIR: stage.platform.dataDirectory,
  PYTHONPATH: clientForPython,
  PYTHONDONTWRITEBYTECODE: '1',
});

const lacks = lacksForClient('python');
const runOrSkip = lacks === undefined ? test : test.skip;
const needs = lacks === undefined ? '' : `; needs ${lacks}, which is not installed here`;

/** What a reader imports with a mapping. The second forecast is wrong. */
const ORDERS = `Order,forecast_type,warehouse_code,sku_code,product_name_en,forecast_quantity,Remark
PO-ORDER-1,1,SZ01,MUG,Mug,1,soon
PO-ORDER-2,1,SZ01,MUG,Mug,0,later
`;

runOrSkip(
  `the guide of the client for Python works from its first block to its last${needs}`,
  async () => {
    const blocks = await blocksOf('/docs/guides/python.md');
    // Receivers and followed feeds do not end; the tests of the package run the receivers.
    const programs = blocks.filter(({ fence, text }) => fence === 'python' && !/Flask\(|FastAPI\(|HTTPServer\(|follow=True/.test(text));
    expect(programs.length).toBeGreaterThan(8);
    const [sheet] = (await blocksOf('/docs/guides/merchants/import-from-a-spreadsheet.md')).filter(({ fence }) => fence === 'csv');
    const folder = newFolder('python');
    writeFileSync(join(folder, 'label.pdf'), samplePdf('label'));
    writeFileSync(join(folder, 'orders.csv'), ORDERS);
    writeFileSync(join(folder, 'sheet.csv'), sheet?.text ?? '');
    const quickstart = join(stage.platform.dataDirectory, 'quickstart.json');
    const text = programs.map((block) => `# ${block.title}\n${block.text}`.replace('/path/to/parcelway/.data/quickstart.json', quickstart));
    const sheetOfTheGuide = 'print("sheet:", client.imports.wait_until_done(client.imports.create("sheet.csv")["import_id"])["state"])\n';
    writeFileSync(join(folder, 'guide.py'), `${text.join('\n')}\n${sheetOfTheGuide}`);
    const { tenant, base_url, ca_file } = stage.platform.quickstart;
    const env = { ...terminal(), PARCELWAY_API_KEY: tenant.api_key, PARCELWAY_BASE_URL: base_url, PARCELWAY_CA_FILE: ca_file };
    const { status, stdout, stderr } = await runProgram('python3', ['guide.py'], { cwd: folder, env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const line of [
      /^VERIFIED parcel\.weighed PO-\d+$/m,
      /^PO-BATCH-1 is FC/m,
      /^PO-BATCH-0 42201 \['items\[0\]\.forecast_quantity must be /m,
      /^False \['shipping_label', 'shipping_note'\]$/m,
      /^done 1 1$/m,
      /^sheet: done$/m,
    ])
      expect(stdout).toMatch(line);
  },
  60_000,
);
