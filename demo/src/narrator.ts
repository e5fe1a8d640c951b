import { ApiClient, type ApiResponse, type Call } from '@parcelway/harness/api-client';

const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

/** Longest piece of a body that is shown. */
const SHOWN_CHARACTERS = 900;

function indented(text: string, mark: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} … (${text.length} characters)` : text;
  return shown.replaceAll(/^/gm, `    ${mark} `);
}

/** What a request sends, for the reader. @param body JSON, or a form with a file */
function sentText(body: object): string {
  const file = 'get' in body && typeof body.get === 'function' ? (body.get('file') as File) : undefined;
  return file === undefined ? JSON.stringify(body, null, 2) : `file: ${file.name} (${file.size} bytes)`;
}

/** One step of the journey, for the summary. */
interface Step {
  readonly title: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly note: string;
}

/** Prints the journey as it goes, and a summary at the end. */
export class Narrator {
  readonly #steps: Step[] = [];

  /** Prints a line. */
  say(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /**
   * Runs a step and remembers how it went. A step that throws is printed and ends the journey.
   * @param work returns a note for the summary
   */
  async step(title: string, work: () => Promise<string>): Promise<void> {
    this.say(`\n${paint(1, `${this.#steps.length + 1}. ${title}`)}`);
    const start = performance.now();
    const end = (ok: boolean, note: string): void => {
      this.#steps.push({ title, ok, ms: performance.now() - start, note });
      this.say(`    ${ok ? paint(32, '✓') : paint(31, '✗')} ${note}`);
    };
    try {
      end(true, await work());
    } catch (error) {
      end(false, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** Prints the table at the end. @returns true when every step went well */
  summary(): boolean {
    const width = Math.max(...this.#steps.map((step) => step.title.length));
    this.say(`\n${paint(1, 'Summary')}`);
    for (const { ok, title, ms, note } of this.#steps)
      this.say(`  ${ok ? paint(32, '✓') : paint(31, '✗')} ${title.padEnd(width)}  ${`${Math.round(ms)} ms`.padStart(8)}  ${note}`);
    const failed = this.#steps.filter((step) => !step.ok).length;
    this.say(`\n  ${this.#steps.length - failed} of ${this.#steps.length} steps went well${failed > 0 ? `, ${failed} failed` : ''}.`);
    return failed === 0;
  }
}

/** A client that shows each request and its response. */
export class NarratedClient extends ApiClient {
  readonly #narrator: Narrator;
  readonly #by: string;

  /** @param by whose key it has, for the reader */
  constructor(narrator: Narrator, by: string, ...client: ConstructorParameters<typeof ApiClient>) {
    super(...client);
    this.#narrator = narrator;
    this.#by = by;
  }

  override async call<T = Record<string, unknown>>(path: string, call: Call = {}): Promise<ApiResponse<T>> {
    const response = await super.call<T>(path, call);
    const { body, method = body === undefined ? 'GET' : 'POST' } = call;
    const say = (text: string): void => this.#narrator.say(text);
    say(`    ${paint(36, `→ ${method} ${path}`)}  (${this.#by})`);
    if (body !== undefined) say(indented(sentText(body as object), paint(36, '│')));
    // Without this header a repeated submission looks like the first.
    const replayed = response.headers['idempotent-replayed'];
    say(`    ${paint(35, `← ${response.status}${replayed === undefined ? '' : `  Idempotent-Replayed: ${replayed}`}`)}`);
    say(indented(JSON.stringify(JSON.parse(response.text), null, 2), paint(35, '│')));
    return response;
  }
}
