import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh.json' with { type: 'json' };

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

const common = { en, zh };

export type SignInWords = Readonly<Record<'title' | 'lead' | 'key' | 'shape' | 'show' | 'hint', string>>;

/** Words that every page has. */
export type CommonMessages = typeof en & {
  readonly nav: { readonly label: string };
  readonly signIn: SignInWords;
  readonly failures: { readonly unreadable: string };
};

/** The words of a page by language: those that pages share, and its own. */
export function wordsOf<Own extends object>(own: Readonly<Record<Language, Own>>): Readonly<Record<Language, typeof en & Own>> {
  const joined = (language: Language): typeof en & Own => {
    const shared: Readonly<Record<string, unknown>> = common[language];
    const both = Object.entries(own[language]).map(([name, words]) => [
      name,
      typeof words === 'string' ? words : Object.assign(Array.isArray(words) ? [] : {}, shared[name], words),
    ]);
    return { ...shared, ...Object.fromEntries(both) };
  };
  return { en: joined('en'), zh: joined('zh') };
}

/** A part of a text that is left out while its value is empty. */
const PART = /\[([^\]]*)\]/g;
/** Where a text has a value: `{0}` is the first one, and `{0|file|files}` a number of things. */
const PLACE = /\{(\d)(?:\|([^|}]*)\|([^|}]*))?\}/g;

/** A text with its values, such as `{0} of [{1}, ]{2|file|files}`. */
export function fill(text: string, ...values: ReadonlyArray<string | number>): string {
  const isFilled = (part: string): boolean => [...part.matchAll(PLACE)].every(([, place]) => values[Number(place)] !== '');
  return text
    .replace(PART, (_, part: string) => (isFilled(part) ? part : ''))
    .replace(PLACE, (_, place: number, one?: string, other?: string) =>
      one === undefined ? String(values[place]) : `${values[place]} ${Number(values[place]) === 1 ? one : other}`,
    );
}

/** What a value of the API is called. @param other for a value without a name; itself by default */
export const nameIn = (names: Readonly<Record<string, string>>, value: string | number, other = String(value)): string =>
  Object.hasOwn(names, value) ? (names[value] ?? other) : other;
