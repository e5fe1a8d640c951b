import { type Language, languageOf, languages } from '@parcelway/page/languages';

/** Choices that are kept on the device: no cookie, and nothing that names somebody. */
const PREFIX = 'parcelway.docs.';

/** A choice of an earlier visit; undefined when there is none, or the browser keeps nothing. */
export function keptChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice holds for this page, then.
  }
}

const english = new WeakMap<Element, string>();

function original(element: Element, read: () => string): string {
  const known = english.get(element) ?? read();
  english.set(element, known);
  return known;
}

/** Shows the navigation in a language. The content stays in English and is marked as English. */
function showLanguage(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const element of document.querySelectorAll<HTMLElement>('[data-zh]')) {
    const text = original(element, () => element.textContent ?? '');
    element.textContent = language === 'zh' ? (element.dataset['zh'] ?? text) : text;
    // Inside a page in English, a word in Chinese says so.
    if (element.closest('main') !== null) element.lang = language === 'zh' ? 'zh-CN' : 'en';
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-zh-label]')) {
    const text = original(element, () => element.getAttribute('aria-label') ?? '');
    element.setAttribute('aria-label', language === 'zh' ? (element.dataset['zhLabel'] ?? text) : text);
  }
}

export const currentLanguage = (): Language => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');

export function startLanguage(): void {
  const select = document.querySelector<HTMLSelectElement>('[data-language]');
  if (select === null) return;
  const kept = keptChoice('language');
  const language = kept !== undefined && Object.hasOwn(languages, kept) ? (kept as Language) : languageOf(navigator.languages);
  for (const [value, name] of Object.entries(languages)) {
    const option = new Option(name, value);
    option.lang = value;
    select.add(option);
  }
  select.value = language;
  select.hidden = false;
  if (language !== 'en') showLanguage(language);
  select.addEventListener('change', () => {
    showLanguage(select.value as Language);
    keepChoice('language', select.value);
  });
}

function showSamples(language: string): void {
  for (const samples of document.querySelectorAll<HTMLElement>('[data-samples]')) {
    const blocks = [...samples.querySelectorAll<HTMLElement>('[data-sample]')];
    const shown = blocks.find(({ dataset }) => dataset['sample'] === language) ?? blocks[0];
    for (const block of blocks) block.hidden = block !== shown;
    for (const button of samples.querySelectorAll<HTMLElement>('[data-choose]'))
      button.setAttribute('aria-pressed', String(button.dataset['choose'] === shown?.dataset['sample']));
  }
}

/** Shows the switch of the samples. The choice holds for all samples, and for the next visit. */
export function startSampleLanguage(): void {
  for (const group of document.querySelectorAll<HTMLElement>('.sample-languages')) {
    group.hidden = false;
    group.addEventListener('click', (event) => {
      const language = (event.target as Element).closest<HTMLElement>('[data-choose]')?.dataset['choose'];
      if (language === undefined) return;
      // The switch stays where the reader sees it while samples above it grow or shrink.
      const before = group.getBoundingClientRect().top;
      showSamples(language);
      keepChoice('samples', language);
      scrollBy(0, group.getBoundingClientRect().top - before);
    });
  }
  const kept = keptChoice('samples');
  if (kept !== undefined) showSamples(kept);
}
