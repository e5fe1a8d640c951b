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

export const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`;
