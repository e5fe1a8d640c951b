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

/** Something in English and in Chinese. */
export type Both<T = string> = readonly [english: T, chinese: T];

/** What words are in one of the languages. */
export type Said<Words> = Words extends readonly [infer English, unknown]
  ? English extends string
    ? string
    : English extends readonly string[]
      ? readonly string[]
      : English
  : { readonly [Name in keyof Words]: Said<Words[Name]> };

export const wordsIn = <Words extends object>(words: Words, language: 0 | 1): Said<Words> =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, Array.isArray(value) ? value[language] : wordsIn(value, language)]),
  ) as Said<Words>;
