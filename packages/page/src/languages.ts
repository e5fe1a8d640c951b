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

/** The words of a page in one language. A Chinese value whose type does not fit the English one becomes `never`. */
export type Localized<Words> = Words extends readonly [string, string]
  ? string
  : Words extends readonly [readonly string[], readonly string[]]
    ? readonly string[]
    : Words extends readonly [infer English, infer Chinese]
      ? Chinese extends English
        ? English
        : never
      : { readonly [Name in keyof Words]: Localized<Words[Name]> };

/** The words of one language. @param language position in {@link Both} */
export const wordsIn = <Words extends object>(words: Words, language: 0 | 1): Localized<Words> =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, Array.isArray(value) ? value[language] : wordsIn(value, language)]),
  ) as Localized<Words>;
