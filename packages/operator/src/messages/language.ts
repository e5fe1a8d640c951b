import { createLanguages } from '@parcelway/page/parts/language';
import { en, type Messages } from './en.ts';
import { zh } from './zh.ts';

/** The words of this page, and what gives them to everything inside. */
export const { LanguageProvider, useWords } = createLanguages<Messages>({ en, zh });
