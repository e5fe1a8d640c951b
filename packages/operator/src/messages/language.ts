import { createLanguageProvider, useSpoken } from '@parcelway/page/parts/language';
import { failureText } from './failure-text.ts';
import { en, type Messages, zh } from './words.ts';

export const useWords = useSpoken<Messages>;
export const LanguageProvider = createLanguageProvider<Messages>({ catalogues: { en, zh }, failureText });
