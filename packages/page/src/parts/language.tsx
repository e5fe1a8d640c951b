import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type Language, languageOf, languages } from '../languages.ts';

export interface Spoken<Messages> {
  readonly t: Messages;
  readonly language: Language;
  readonly locale: string;
  readonly choose: (language: Language) => void;
}

/** Gives everything inside the words of one language: at first that of the browser. */
type Provider = (props: { readonly children: ComponentChildren }) => ReturnType<typeof LanguageSwitch>;

/** The languages of a page. @param catalogues words by language, in one shape */
export function createLanguages<Messages>(catalogues: Readonly<Record<Language, Messages>>): {
  readonly LanguageProvider: Provider;
  readonly useWords: () => Spoken<Messages>;
} {
  const Context = createContext<Spoken<Messages> | undefined>(undefined);
  return {
    LanguageProvider({ children }) {
      const [language, choose] = useState<Language>(() => languageOf(navigator.languages));
      const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
      useEffect(() => {
        document.documentElement.lang = locale;
      }, [locale]);
      const spoken = useMemo(() => ({ t: catalogues[language], language, locale, choose }), [language, locale]);
      return <Context.Provider value={spoken}>{children}</Context.Provider>;
    },
    useWords() {
      const spoken = useContext(Context);
      if (spoken === undefined) throw new Error('useWords needs a LanguageProvider around it');
      return spoken;
    },
  };
}

export interface LanguageSwitchProps {
  readonly label: string;
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

export function LanguageSwitch({ label, language, choose }: LanguageSwitchProps) {
  return (
    <select class="language" aria-label={label} value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
      {Object.entries(languages).map(([value, name]) => (
        <option key={value} value={value} lang={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
