import { currentLanguage } from './choices.ts';

const EXAMPLE = 'https://api.example.com';

/** The address of the platform that serves this page, without a slash at its end. A proxy may have put a prefix in front of it. */
export const platformUrl = (): string => new URL(document.documentElement.dataset['root'] || './', location.href).href.replace(/\/$/, '');

export function fillInBaseUrl(): void {
  const address = platformUrl();
  for (const code of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.nodeValue?.includes(EXAMPLE)) node.nodeValue = node.nodeValue.replaceAll(EXAMPLE, address);
  }
  for (const body of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-body]'))
    body.value = body.value.replaceAll(EXAMPLE, address);
}

const COPIED = { en: 'Copied', zh: '已复制' };
const COPY = { en: 'Copy', zh: '复制' };
/** Milliseconds for which a button says that it has copied. */
const SHOWN_MS = 2000;

/** Shows the buttons that copy code. Browsers copy on secure pages only, so other pages show no button. */
export function startCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy-code')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent?.trimEnd() ?? '');
      button.textContent = COPIED[currentLanguage()];
      setTimeout(() => {
        button.textContent = COPY[currentLanguage()];
      }, SHOWN_MS);
    });
  }
}

export interface FilledIn {
  readonly place: 'path' | 'query' | 'header';
  readonly name: string;
  readonly value: string;
}

export interface TryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds a request. Empty fields are left out. */
export function tryRequest(base: string, path: string, fields: readonly FilledIn[], key?: string): TryRequest {
  const filled = fields.filter(({ value }) => value !== '');
  let way = path;
  for (const { name, value } of filled.filter(({ place }) => place === 'path')) way = way.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(
    filled.filter(({ place }) => place === 'query').map(({ name, value }): [string, string] => [name, value]),
  );
  const headers = filled.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value] as const);
  return {
    url: `${base}${way}${query.size > 0 ? `?${query}` : ''}`,
    headers: { ...(key === undefined ? {} : { 'X-Api-Key': key }), ...Object.fromEntries(headers) },
  };
}

/** A body as people read it: JSON with indentation, anything else as it came. */
export function readableBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Milliseconds that a request may take. The longest of the API waits 30 seconds for webhooks. */
const DEADLINE_MS = 40_000;

const WORDS = {
  en: { sending: 'Sending…', failed: 'The request has failed', file: 'A file' },
  zh: { sending: '发送中…', failed: '请求失败', file: '文件' },
};

/** Keys by whose they are. They are in memory only: a page that is left forgets them. */
const keys = new Map<string, string>();

const fieldsOf = (form: HTMLFormElement): FilledIn[] =>
  [...form.querySelectorAll<HTMLInputElement>('[data-place]')].map(({ dataset, value }) => ({
    place: dataset['place'] as FilledIn['place'],
    name: dataset['name'] ?? '',
    value: value.trim(),
  }));

/** Body and its type; undefined when there is none. */
function bodyOf(form: HTMLFormElement): { readonly body: BodyInit; readonly type?: string } | undefined {
  const file = form.querySelector<HTMLInputElement>('[data-file]')?.files?.[0];
  if (file !== undefined) {
    const content = new FormData();
    content.set('file', file);
    return { body: content };
  }
  const text = form.querySelector<HTMLTextAreaElement>('[data-body]')?.value.trim() ?? '';
  return text === '' ? undefined : { body: text, type: 'application/json' };
}

async function send(form: HTMLFormElement): Promise<{ readonly head: string; readonly text: string }> {
  const { method = 'GET', path = '' } = form.dataset;
  const key = form.querySelector<HTMLInputElement>('[data-key]')?.value.trim();
  const { url, headers } = tryRequest(platformUrl(), path, fieldsOf(form), key);
  const content = bodyOf(form);
  const started = performance.now();
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(content?.type === undefined ? {} : { 'Content-Type': content.type }) },
    ...(content === undefined ? {} : { body: content.body }),
    signal: AbortSignal.timeout(DEADLINE_MS),
    credentials: 'omit',
    cache: 'no-store',
  });
  const isText = /json|text/.test(response.headers.get('Content-Type') ?? '');
  const bytes = await response.arrayBuffer();
  const words = WORDS[currentLanguage()];
  const id = response.headers.get('X-Request-Id');
  const facts = [`HTTP ${response.status}`, `${Math.round(performance.now() - started)} ms`, ...(id === null ? [] : [id])];
  const type = response.headers.get('Content-Type') ?? '';
  const text = isText ? readableBody(new TextDecoder().decode(bytes)) : `${words.file}: ${type}, ${bytes.byteLength} bytes`;
  return { head: facts.join(' · '), text };
}

/** Shows a response. It comes from elsewhere, so it is text and never HTML. */
function showOutcome(outcome: HTMLElement, head: string, text: string): void {
  const line = document.createElement('p');
  line.textContent = head;
  const block = document.createElement('pre');
  block.tabIndex = 0;
  block.textContent = text;
  outcome.replaceChildren(line, ...(text === '' ? [] : [block]));
}

function shareKeys(inputs: readonly HTMLInputElement[]): void {
  for (const input of inputs) {
    input.addEventListener('input', () => {
      const owner = input.dataset['key'] ?? '';
      keys.set(owner, input.value);
      for (const other of inputs) {
        if (other.dataset['key'] !== owner) continue;
        other.value = keys.get(owner) ?? '';
        const note = other.form?.querySelector<HTMLElement>('[data-production]');
        if (note) note.hidden = !other.value.trim().startsWith('pf_live_');
      }
    });
  }
}

export function startTrying(): void {
  shareKeys([...document.querySelectorAll<HTMLInputElement>('[data-key]')]);
  for (const details of document.querySelectorAll<HTMLElement>('[data-try]')) {
    details.hidden = false;
    const form = details.querySelector('form');
    const outcome = details.querySelector<HTMLElement>('[data-outcome]');
    if (form === null || outcome === null) continue;
    let isSending = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (isSending) return;
      isSending = true;
      const words = WORDS[currentLanguage()];
      showOutcome(outcome, words.sending, '');
      try {
        const { head, text } = await send(form);
        showOutcome(outcome, head, text);
      } catch (error) {
        showOutcome(outcome, `${words.failed}: ${error instanceof Error ? error.message : String(error)}`, '');
      } finally {
        isSending = false;
      }
    });
  }
}
