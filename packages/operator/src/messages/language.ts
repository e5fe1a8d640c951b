import { createLanguages } from '@parcelway/page/parts/language';
import { en, type Messages } from './en.ts';
import { zh } from './zh.ts';

export const { LanguageProvider, useWords } = createLanguages<Messages>({ en, zh });
