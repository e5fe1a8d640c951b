import { createLanguageProvider, useSpoken } from '@parcelway/page/parts/language';
import { failureText, faultText, fieldLabel } from './failure-text.ts';
import { en, type Messages, zh } from './words.ts';

export const useWords = useSpoken<Messages>;
export const LanguageProvider = createLanguageProvider<Messages>({
  catalogues: { en, zh },
  failureText,
  faultText: (fault, words) => faultText(fault, words, fieldLabel(fault.field, words) || undefined),
});
