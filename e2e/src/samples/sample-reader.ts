import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramRun } from '@parcelway/harness/program';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import type { DocumentedSample, SampleLanguage } from './documented-samples.ts';
import { clientForPython, runProgram, runSample } from './run-sample.ts';

/** Address in the bodies of examples. That of a request is in a variable. */
const EXAMPLE = 'https://api.example.com';

/** Packages of Node that are installed in the checkout, the client among them. */
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Id of a webhook endpoint. */
const ENDPOINT_ID = /\bep_[0-9a-f]{32}\b/;

/** URL of an uploaded file, of the examples or of a response. */
const FILE_URL = /https?:\/\/[^\s"'/]+\/files\/[\w.-]+\.pdf/;

/** What a reader imports. */
const SPREADSHEET = 'po_number,forecast_type,warehouse_code,sku_code,product_name_en,forecast_quantity\nPO-1,1,SZ01,MUG,Mug,1\n';

/** Parameter of a path → routes whose responses give a reader its value, in the order in which they are called. */
const GIVES: Readonly<Record<string, readonly string[]>> = {
  name: ['POST /open/v1/files/pdf'],
  endpoint_id: ['POST /open/v1/webhook-endpoints'],
  delivery_id: ['POST /open/v1/webhook-endpoints', 'POST /open/v1/webhook-endpoints/{endpoint_id}/test'],
  connection_id: ['POST /open/v1/carrier-connections'],
  attachment_id: ['POST /open/v1/files/pdf'],
  import_id: ['POST /open/v1/forecasts/import'],
  key_id: ['POST /open/v1/keys'],
};

const parametersOf = (path: string): string[] => [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name as string);

/** The variables that the commands of a page set, as a shell has them afterwards. @param commands of the page */
export async function documentedEnvironment(commands: string, dataDirectory: string): Promise<Record<string, string>> {
  // The folder of the page is that of whoever started a platform there; an alias holds in a shell alone.
  const lines = commands.split('\n').filter((line) => !/^(cd|alias) /.test(line));
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: dataDirectory };
  const { stdout } = await runProgram('bash', ['-c', `${lines.join('\n')}\nenv -0`], { cwd: dataDirectory, env });
  // Behind what the commands print.
  const variables = stdout.slice(stdout.lastIndexOf('\n') + 1).split('\0');
  return Object.fromEntries(variables.filter((each) => each.includes('=')).map((each) => each.split(/=(.*)/s).slice(0, 2)));
}

/** Somebody who pastes samples, and puts own ids in the place of those of the examples. */
export class SampleReader {
  /** Ids that responses gave the reader. */
  readonly ids: Record<string, string> = {};
  /** Of the reader's files. */
  readonly folder: string;
  /** Variables of the reader's shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly #baseUrl: string;
  /** URLs of the files that the reader has uploaded on the way of a parcel, the label first. */
  readonly #uploaded: string[] = [];
  #runs = 0;

  /** @param folder of the reader's files @param env variables of the page, with the reader's key */
  constructor(folder: string, env: Readonly<Record<string, string>>, baseUrl: string) {
    this.folder = folder;
    this.env = { ...env, GOPROXY: 'off', GOTOOLCHAIN: 'local', PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: clientForPython };
    this.#baseUrl = baseUrl;
    mkdirSync(folder, { recursive: true });
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
  }

  /** Runs a sample, and keeps the id of the endpoint that it registers and the URL that it uploads. @param key of another than the reader */
  async run(sample: DocumentedSample, language: SampleLanguage, key?: string): Promise<ProgramRun> {
    this.#runs += 1;
    const folder = join(this.folder, String(this.#runs));
    mkdirSync(folder, { recursive: true });
    for (const name of ['label', 'packing-list']) writeFileSync(join(folder, `${name}.pdf`), samplePdf(name));
    writeFileSync(join(folder, 'photo.jpg'), samplePng('photo'));
    writeFileSync(join(folder, 'forecasts.csv'), SPREADSHEET);
    const env = key === undefined ? this.env : { ...this.env, PARCELWAY_API_KEY: key };
    const end = await runSample(language, this.#own(sample, sample.code.get(language) ?? ''), folder, env);
    const [endpointId] = ENDPOINT_ID.exec(end.stdout) ?? [];
    if (sample.route === undefined && endpointId !== undefined) this.ids['endpoint_id'] = endpointId;
    const [url] = FILE_URL.exec(end.stdout) ?? [];
    if (sample.title.startsWith('Upload the ') && url !== undefined) this.#uploaded.push(url);
    return end;
  }

  /** Submits a forecast and makes what the parameters of a path stand for, with the samples for curl. @throws Error when one fails */
  async prepare(path: string, samples: ReadonlyMap<string, DocumentedSample>): Promise<void> {
    const needed = new Set(['POST /open/v1/forecasts', ...parametersOf(path).flatMap((name) => GIVES[name] ?? [])]);
    for (const route of needed) await this.#keepIds(route, samples.get(route));
  }

  async #keepIds(route: string, sample?: DocumentedSample): Promise<void> {
    if (sample === undefined) throw new Error(`The reference has no sample of ${route}`);
    const { stdout, stderr } = await this.run(sample, 'bash');
    const { code, data } = JSON.parse(stdout || '{}') as { code?: string; data?: Record<string, unknown> };
    if (code !== '0' || data === undefined) throw new Error(`${route}: ${stdout}${stderr}`);
    const { url } = data;
    const name = typeof url === 'string' && url.includes('/files/') ? url.split('/').at(-1) : undefined;
    for (const [key, value] of Object.entries({ ...data, name }))
      if (typeof value === 'string' || typeof value === 'number') this.ids[key] ??= String(value);
  }

  /** The code with the reader's address and ids. */
  #own({ route }: DocumentedSample, code: string): string {
    if (route === undefined) {
      const urls = this.#uploaded.values();
      return code
        .replace(ENDPOINT_ID, this.ids['endpoint_id'] ?? '$&')
        .replaceAll(new RegExp(FILE_URL, 'g'), (example) => urls.next().value ?? example);
    }
    const template = route.split(' ')[1] ?? '';
    const names = parametersOf(template);
    const pattern = template.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '([^/?\'"`]+)');
    const values = names.length === 0 ? [] : (new RegExp(pattern).exec(code)?.slice(1) ?? []);
    return values
      .reduce((text, value, index) => text.replaceAll(value, encodeURIComponent(this.ids[names[index] as string] ?? value)), code)
      .replaceAll(EXAMPLE, this.#baseUrl);
  }
}
