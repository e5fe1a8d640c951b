import { type Language, languageOf, languages } from '@parcelway/page/languages';
import { keepChoice, keptChoice } from './kept-choice.ts';

/** Texts as the document came, to return to. */
const english = new WeakMap<Element, string>();

function original(element: Element, read: () => string): string {
  const known = english.get(element) ?? read();
  english.set(element, known);
  return known;
}

/** Puts the navigation into a language. What the pages say stays in English, and is marked as such. */
function show(language: Language): void {
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

/** The language of the navigation now. */
export const currentLanguage = (): Language => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');

/** Shows the switch of the language. At first it is the one that was chosen before, or that of the browser. */
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
  if (language !== 'en') show(language);
  select.addEventListener('change', () => {
    show(select.value as Language);
    keepChoice('language', select.value);
  });
}
