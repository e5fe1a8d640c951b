import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { en, type Messages } from './en.ts';
import { type Language, languageOf } from './languages.ts';
import { zh } from './zh.ts';

const catalogues: Readonly<Record<Language, Messages>> = { en, zh };

/** The words of the page, and the language they are in. */
export interface Spoken {
  readonly t: Messages;
  readonly language: Language;
  /** For formats of the browser. */
  readonly locale: string;
  readonly choose: (language: Language) => void;
}

const Context = createContext<Spoken | undefined>(undefined);

/** Gives everything inside the words of one language: at first that of the browser. */
export function LanguageProvider({ children }: { readonly children: ComponentChildren }) {
  const [language, choose] = useState<Language>(() => languageOf(navigator.languages));
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const spoken = useMemo(() => ({ t: catalogues[language], language, locale, choose }), [language, locale]);
  return <Context.Provider value={spoken}>{children}</Context.Provider>;
}

/** The words of the page. */
export function useWords(): Spoken {
  const spoken = useContext(Context);
  if (spoken === undefined) throw new Error('useWords needs a LanguageProvider around it');
  return spoken;
}
