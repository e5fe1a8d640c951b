import { createLanguages } from '@parcelway/page/parts/language';
import { en, type Messages, zh } from './words.ts';

export const { LanguageProvider, useWords } = createLanguages<Messages>({ en, zh });
