import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { ApiFailure, FieldFault } from '../api/failure.ts';
import { type CommonMessages, type Language, languageOf } from '../languages.ts';

export interface Spoken<Messages> {
  readonly t: Messages;
  readonly language: Language;
  readonly locale: string;
  readonly choose: (language: Language) => void;
  readonly sayFailure: (failure: ApiFailure) => string;
  /** A fault with the name of its field. */
  readonly sayFault: (fault: FieldFault) => string;
}

/** How a page speaks. */
interface Speech<Messages> {
  /** Words by language, in one shape. */
  readonly catalogues: Readonly<Record<Language, Messages>>;
  readonly failureText: (failure: ApiFailure, words: Messages) => string;
  readonly faultText?: (fault: FieldFault, words: Messages) => string;
}

const Context = createContext<unknown>(undefined);

/** What the page says, as the parts that pages share know it. */
export function useSpoken<Messages = CommonMessages>(): Spoken<Messages> {
  const spoken = useContext(Context);
  if (spoken === undefined) throw new Error('useSpoken needs a LanguageProvider around it');
  return spoken as Spoken<Messages>;
}

/** Creates the provider that gives everything inside the words of one language: at first that of the browser. */
export function createLanguageProvider<Messages>({ catalogues, failureText, faultText }: Speech<Messages>) {
  return function LanguageProvider({ children }: { readonly children: ComponentChildren }) {
    const [language, choose] = useState<Language>(() => languageOf(navigator.languages));
    const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
    useEffect(() => {
      document.documentElement.lang = locale;
    }, [locale]);
    const spoken = useMemo((): Spoken<Messages> => {
      const t = catalogues[language];
      return {
        ...{ t, language, locale, choose },
        sayFailure: (failure) => failureText(failure, t),
        sayFault: (fault) => faultText?.(fault, t) ?? `${fault.field} ${fault.message}`.trim(),
      };
    }, [language, locale]);
    return <Context.Provider value={spoken}>{children}</Context.Provider>;
  };
}
