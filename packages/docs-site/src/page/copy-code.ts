import { currentLanguage } from './language.ts';

const COPIED = { en: 'Copied', zh: '已复制' };
const COPY = { en: 'Copy', zh: '复制' };
/** Milliseconds for which a button says that it has copied. */
const SHOWN_MS = 2000;

/** Shows the buttons that copy code. Browsers copy on secure pages only; elsewhere there is none. */
export function startCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy-code')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent?.trimEnd() ?? '');
      button.textContent = COPIED[currentLanguage()];
      setTimeout(() => {
        button.textContent = COPY[currentLanguage()];
      }, SHOWN_MS);
    });
  }
}
