import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { samplePdf } from '@parcelway/harness/sample-data';
import { useDirectory } from '../use-directory.ts';
import { useStage } from '../use-stage.ts';
import { clientForPython, lacksForClient, runProgram } from './run-sample.ts';

/*
 * The pages for Python as a reader pastes them: block after block, in the order of the page, in one folder. What a block leaves behind,
 * in the variables of the shell as in the files of the folder, is there for the next.
 */

/** A block of code of a page. */
interface Block {
  /** Heading above it. */
  readonly title: string;
  readonly fence: string;
  readonly text: string;
}

/** What pastes the blocks of a page. The receiver runs in the background, as in a terminal of its own. */
const SHELL = `set -m
# With these variables it would trust the sandbox alone.
pip() { test -z "$REQUESTS_CA_BUNDLE$CURL_CA_BUNDLE$SSL_CERT_FILE" || { echo 'pip trusts no package index here' >&2; exit 1; }; }
cd() { :; }
endpoint=ep_none label=none list=none
paste() { sed -E "s/\\bep_[0-9a-f]{32}\\b/$endpoint/; s#(shipping_label.: .)http.*pdf#\\1$label#; s#(shipping_note.: .)http.*pdf#\\1$list#" > block.py; python3 block.py > block.out || { echo "failed: $1" >&2; exit 1; }; cat block.out; }
receive() { cat > receive.py; python3 receive.py > receive.out 2> receive.err & receiver=$!; heard 'Waiting for webhooks'; }
heard() { for _ in $(seq 200); do grep -q "$1" receive.out && return; sleep 0.05; done; echo "not received: $1" >&2; exit 1; }
`;

const RECEIVE = 'Receive webhooks on your machine';

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

/** Heading → what the reader does after the block: looks at the first terminal, keeps a URL or an id. */
const AFTER: Readonly<Record<string, string>> = {
  'Upload the label': "label=$(grep -Eo 'https?://[^ ]+\\.pdf' block.out)",
  'Upload the packing list': "list=$(grep -Eo 'https?://[^ ]+\\.pdf' block.out)",
  'Let the carrier report': "heard 'VERIFIED tracking.changed PO-2025-1121-001'",
  'Let the warehouse weigh it': "heard 'VERIFIED parcel.weighed PO-2025-1121-001'",
  'Register a webhook endpoint': "endpoint=$(grep -Eo 'ep_[0-9a-f]{32}' block.out)",
};

/** A block as a part of the script that pastes it. */
function pasted({ title, fence, text }: Block): string {
  if (fence !== 'python') return text;
  const step = title === RECEIVE ? 'receive' : 'paste';
  return `${step} '${title}' <<'END_OF_BLOCK'\n${text}END_OF_BLOCK\n${AFTER[title] ?? ''}\n`;
}

const lacks = lacksForClient('python');
const runOrSkip = lacks === undefined ? test : test.skip;
const needs = lacks === undefined ? '' : `; needs ${lacks}, which is not installed here`;

runOrSkip(
  `the page of the first parcel works from its first block to its last in Python${needs}`,
  async () => {
    const blocks = await blocksOf('/docs/first-parcel.md');
    const [installing, ...others] = blocks.filter(({ fence }) => ['sh', 'bash', 'python'].includes(fence));
    // The commands for curl have the fence of the commands that set the variables.
    const setting = others.filter(({ title, fence }) => fence === 'bash' && title === 'Key, address and certificate');
    const steps = others.filter(({ fence }) => fence === 'python');
    expect([installing?.text.includes('pip install'), setting.length, steps.length]).toEqual([true, 2, 12]);
    const script = [SHELL, ...[installing as Block, ...setting, ...steps].map(pasted)].join('\n');
    const end = 'kill -INT $receiver\nwait $receiver; echo "stopped with $?"; cat receive.err\n';
    const folder = newFolder('first-parcel');
    for (const name of ['label', 'packing-list']) writeFileSync(join(folder, `${name}.pdf`), samplePdf(name));
    writeFileSync(join(folder, 'page.sh'), `${script}\n${end}`);
    const { status, stdout, stderr } = await runProgram('bash', ['page.sh'], { cwd: folder, env: terminal() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringMatching(/Error|failed/) });
    expect(stdout).toMatch(/'weight_kg': \d/);
    expect(stdout).toContain('Out for delivery');
    // Ctrl-C ends the receiver without a word.
    expect(stdout).toMatch(/stopped with 0\n$/);
  },
  60_000,
);

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
