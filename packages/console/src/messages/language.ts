import { createLanguageProvider, useSpoken } from '@parcelway/page/parts/language';
import { failureText, faultText, fieldLabel } from './failure-text.ts';
import { type Messages, words } from './words.ts';

export const useWords = useSpoken<Messages>;
export const LanguageProvider = createLanguageProvider<Messages>({
  catalogues: words,
  failureText,
  faultText: (fault, t) => faultText(fault, t, fieldLabel(fault.field, t) || undefined),
});
