import { ApiFailure, type FieldFault, sayFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import type { Messages } from './words.ts';

type Words = Messages['failures'];

/** Says what is wrong as a whole, or that some fields are when the response names them. */
const withFaults =
  (say: (words: Words) => string) =>
  (words: Words, { detail, faults }: ApiFailure): string =>
    faults.length > 0 ? words.fields : `${say(words)} ${detail}`.trim();

/** A sentence of the platform as the page says it; as it is where the page has no other words. */
export function inWords(sentence: string, { sentences }: Pick<Messages, 'sentences'>): string {
  for (const [pattern = '', text = ''] of sentences) {
    const matcher = new RegExp(pattern, 'u');
    if (matcher.test(sentence)) return sentence.replace(matcher, text).trim();
  }
  return sentence;
}

export const failureText = (failure: ApiFailure, t: Pick<Messages, 'failures' | 'sentences'>): string =>
  sayFailure(new ApiFailure(failure.code, { ...failure, detail: inWords(failure.detail, t) }), t.failures, {
    'other-account': (words) => words.otherAccount,
    '40003': (words) => words.badKey,
    '40101': (words) => words.badKey,
    '40301': (words, { detail }) => {
      if (detail.includes('from the address')) return words.wrongAddress;
      const [, scope] = /scope (.+)$/.exec(detail) ?? [];
      return scope === undefined ? words.warehouseKey : `${words.noPermission} ${scope}`;
    },
    '40302': (words) => words.suspended,
    '40401': (words) => words.noParcel,
    '40901': withFaults((words) => words.poTaken),
    '41201': (words) => words.changed,
    '42202': withFaults((words) => words.numberTaken),
    '42203': withFaults((words) => words.foreignFile),
    '42204': (words) => words.noFile,
    '42205': withFaults((words) => words.fileKind),
    '42206': (words, { detail }) => `${words.fileSize} ${detail}`.trim(),
    '42901': (words, { retryAfterSeconds = 1 }) => fill(words.tooMany, retryAfterSeconds),
    '50001': (words) => words.carrier,
  });

export function linkFailureText(failure: ApiFailure, words: Pick<Messages, 'link' | 'failures' | 'sentences'>): string {
  const { link } = words;
  const own: Readonly<Record<string, string>> = { '40003': link.ended, '40302': link.suspended };
  return `${link.failed} ${own[failure.code] ?? failureText(failure, words)}`;
}

type FaultWords = Pick<Messages, 'sentences' | 'fields' | 'parcelForm'>;

const labelled = (name: string, { fields }: Pick<Messages, 'fields'>): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name as keyof Messages['fields']] : undefined;

/** A field of a body as forms name it, such as `Item 1 · SKU code` for `items[0].sku_code`. A field that forms do not have keeps its name. */
export function fieldLabel(path: string, words: FaultWords): string {
  const [, index, name] = /^items\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
  if (index === undefined) return labelled(path, words) ?? path;
  const item = fill(words.parcelForm.item, Number(index) + 1);
  return name === undefined ? item : `${item} · ${labelled(name, words) ?? name}`;
}

const PREDICATE = /^(?:is|are|must|has|have|differs|cannot) /;
const NAMES = /items\[\d+\](?:\.\w+)?|\b[a-z]+(?:_[a-z]+)+\b/g;

/** @param label undefined where the page shows the field name next to the text */
export function faultText({ field, message }: Pick<FieldFault, 'field' | 'message'>, words: FaultWords, label?: string): string {
  const sentence = field !== '' && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  const said = inWords(sentence, words).replace(NAMES, (name) => fieldLabel(name, words));
  if (!PREDICATE.test(sentence)) return said;
  if (label !== undefined) return `${label} ${said}`;
  const short = said.replace(/^is required\b/, 'required').replace(/^为必填项/, '必填');
  return `${short.slice(0, 1).toUpperCase()}${short.slice(1)}`;
}

/** Where in the value of a control a fault lies; undefined when it is about all of it. @param path such as `headers.X-Shop` or `allowed_addresses[1]` */
export function placeOf(path: string, words: Messages['faults']): string | undefined {
  const [, name] = /^(?:headers|metadata|filter)\.(.+)$/.exec(path) ?? [];
  const [, index] = /^\w+\[(\d+)\]$/.exec(path) ?? [];
  return name ?? (index === undefined ? undefined : fill(words.entry, Number(index) + 1));
}

/** A column as its file has it, and a field that no column fills as forms name it. @param title or name of the field, as errors of rows have it */
export const columnLabel = (title: string, columns: ReadonlyArray<{ readonly title: string }>, words: Pick<Messages, 'fields'>): string =>
  columns.some((column) => column.title === title) ? title : (labelled(title, words) ?? title);
