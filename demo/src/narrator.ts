import type { ApiClient, ApiResponse, Call } from '@parcelway/harness/api-client';

const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

/** Longest piece of a body that is shown. */
const SHOWN_CHARACTERS = 900;

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} … (${text.length} characters)` : text;
}

function indent(text: string, mark: string): string {
  return text
    .split('\n')
    .map((line) => `    ${mark} ${line}`)
    .join('\n');
}

/** One step of the journey, for the summary. */
interface Step {
  readonly title: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly note: string;
}

/** Prints the journey as it goes: each request, each response, and a summary at the end. */
export class Narrator {
  readonly #steps: Step[] = [];
  readonly #out: (text: string) => void;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  /** Prints a line. */
  say(text: string): void {
    this.#out(`${text}\n`);
  }

  /**
   * Runs a step and remembers how it went. A step that throws is printed and ends the journey.
   * @param work returns a note for the summary
   */
  async step(title: string, work: () => Promise<string>): Promise<void> {
    this.say(`\n${paint(1, `${this.#steps.length + 1}. ${title}`)}`);
    const start = performance.now();
    try {
      const note = await work();
      this.#steps.push({ title, ok: true, ms: performance.now() - start, note });
      this.say(`    ${paint(32, '✓')} ${note}`);
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      this.#steps.push({ title, ok: false, ms: performance.now() - start, note });
      this.say(`    ${paint(31, '✗')} ${note}`);
      throw error;
    }
  }

  /** Shows a request and its response. @param by whose key it has */
  exchange(by: string, method: string, url: string, sent: unknown, response: Pick<ApiResponse, 'status' | 'headers' | 'text'>): void {
    this.say(`    ${paint(36, `→ ${method} ${url}`)}  (${by})`);
    if (sent !== undefined) this.say(indent(shorten(typeof sent === 'string' ? sent : JSON.stringify(sent, null, 2)), paint(36, '│')));
    // Without this header a repeated submission looks like the first.
    const replayed = response.headers['idempotent-replayed'];
    this.say(`    ${paint(35, `← ${response.status}${replayed === undefined ? '' : `  Idempotent-Replayed: ${replayed}`}`)}`);
    this.say(indent(shorten(pretty(response.text)), paint(35, '│')));
  }

  /** Prints the table at the end. @returns true when every step went well */
  summary(): boolean {
    const width = Math.max(...this.#steps.map((step) => step.title.length));
    this.say(`\n${paint(1, 'Summary')}`);
    for (const step of this.#steps) {
      const mark = step.ok ? paint(32, '✓') : paint(31, '✗');
      this.say(`  ${mark} ${step.title.padEnd(width)}  ${`${Math.round(step.ms)} ms`.padStart(8)}  ${step.note}`);
    }
    const failed = this.#steps.filter((step) => !step.ok).length;
    this.say(`\n  ${this.#steps.length - failed} of ${this.#steps.length} steps went well${failed > 0 ? `, ${failed} failed` : ''}.`);
    return failed === 0;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it is.
    return text;
  }
}

/** A client that shows what it does. */
export class NarratedClient {
  readonly #client: ApiClient;
  readonly #narrator: Narrator;
  readonly #by: string;

  /** @param by whose key the client has, for the reader */
  constructor(client: ApiClient, narrator: Narrator, by: string) {
    this.#by = by;
    this.#client = client;
    this.#narrator = narrator;
  }

  /** Calls, shows, and returns `data`. @throws Error when the call does not succeed */
  call<T>(path: string, call: Call = {}): Promise<T> {
    return this.#shown(call.method ?? (call.body === undefined ? 'GET' : 'POST'), path, call.body, this.#client.call<T>(path, call));
  }

  /** Uploads a file, shows it, and returns `data`. @throws Error when the call does not succeed */
  upload<T>(path: string, name: string, content: Uint8Array, type?: string): Promise<T> {
    return this.#shown('POST', path, `file: ${name} (${content.length} bytes)`, this.#client.upload<T>(path, name, content, type));
  }

  /** Fetches bytes without a key. */
  fetchBytes: ApiClient['fetchBytes'] = (url) => this.#client.fetchBytes(url);

  async #shown<T>(method: string, path: string, sent: unknown, responding: Promise<ApiResponse<T>>): Promise<T> {
    const response = await responding;
    this.#narrator.exchange(this.#by, method, path, sent, response);
    if (response.code !== '0') throw new Error(`${path} responded with ${response.code}: ${response.message}`);
    return response.data;
  }
}
