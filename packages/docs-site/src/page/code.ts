import { currentLanguage } from './choices.ts';

const EXAMPLE = 'https://api.example.com';

/** The address of the platform that serves this page, without a slash at its end. A proxy may have put a prefix in front of it. */
export const platformUrl = (): string => new URL(document.documentElement.dataset['root'] || './', location.href).href.replace(/\/$/, '');

export function fillInBaseUrl(): void {
  const address = platformUrl();
  for (const code of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.nodeValue?.includes(EXAMPLE)) node.nodeValue = node.nodeValue.replaceAll(EXAMPLE, address);
  }
  for (const body of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-body]'))
    body.value = body.value.replaceAll(EXAMPLE, address);
}

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
