export const languages = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof languages;

/** The first of a reader's languages that the page has; English otherwise. @param wanted such as `zh-Hans-CN`, most wanted first */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [primary = ''] = tag.toLowerCase().split('-');
    if (Object.hasOwn(languages, primary)) return primary as Language;
  }
  return 'en';
}

/** A number of things in English, such as `1 delivery` or `2 deliveries`. */
export const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`;

/** A value in English and in Chinese. */
export type Both<T = string> = readonly [english: T, chinese: T];

/** A value of the API → what it is called. */
export type Named<Name extends string | number> = Readonly<Record<Name, Both>>;

type Value = string | number;

/** What a text becomes: a function of as many values as it has places for. */
type Said<Text extends string> = Text extends `${string}{2${string}`
  ? (first: Value, second: Value, third: Value) => string
  : Text extends `${string}{1${string}`
    ? (first: Value, second: Value) => string
    : Text extends `${string}{0${string}`
      ? (first: Value) => string
      : string;

/** The words of a page in one language. A Chinese value whose type does not fit the English one becomes `never`. */
export type Localized<Words> = Words extends readonly [infer English extends string, infer Chinese extends string]
  ? Said<Chinese> extends Said<English>
    ? Said<English>
    : never
  : Words extends readonly [readonly string[], readonly string[]]
    ? readonly string[]
    : Words extends readonly [infer English, infer Chinese]
      ? Chinese extends English
        ? English
        : never
      : { readonly [Name in keyof Words]: Localized<Words[Name]> };

/** Where a text has a value: `{0}` is the first one, and `{0|file|files}` a number of things. */
const PLACE = /\{(\d)(?:\|([^|}]*)\|([^|}]*))?\}/g;

function saidIn(word: unknown): unknown {
  if (typeof word !== 'string' || word.search(PLACE) === -1) return word;
  return (...values: readonly Value[]): string =>
    word.replace(PLACE, (_, place: number, one?: string, other = '') =>
      one === undefined ? String(values[place]) : plural(Number(values[place]), one, other),
    );
}

/** The words of one language. @param language position in {@link Both} */
export const wordsIn = <Words extends object>(words: Words, language: 0 | 1): Localized<Words> =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, Array.isArray(value) ? saidIn(value[language]) : wordsIn(value, language)]),
  ) as Localized<Words>;
