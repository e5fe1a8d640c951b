import MiniSearch, { type SearchResult } from 'minisearch';
import { findParts, type IndexedPart, searchOptions } from '../search/search-options.ts';
import { currentLanguage } from './choices.ts';

const LIMIT = 12;

const WORDS = {
  en: {
    label: 'Search the documentation',
    empty: 'Nothing found',
    close: 'Close',
    failed: 'The search could not be loaded. Reload the page.',
  },
  zh: { label: '搜索文档', empty: '没有找到', close: '关闭', failed: '搜索无法加载，请刷新页面。' },
};

/** The index is loaded when the search is first opened. A load that failed is tried again at the next time. */
let loading: Promise<MiniSearch<IndexedPart>> | undefined;

function loadIndex(): Promise<MiniSearch<IndexedPart>> {
  loading ??= fetch(document.documentElement.dataset['searchIndex'] ?? '', { credentials: 'omit' })
    .then(async (response) => {
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return MiniSearch.loadJSON<IndexedPart>(await response.text(), searchOptions);
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string>): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The dialog: a field, and a list of results through which the arrows go. */
class SearchDialog {
  readonly #dialog = element('dialog', { class: 'search' });
  readonly #field = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': 'search-results',
    'aria-expanded': 'false',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #results = element('div', { id: 'search-results', role: 'listbox' });
  readonly #note = element('p', { class: 'hint', role: 'status' });
  readonly #close = element('button', { type: 'button' });
  #chosen = -1;
  /** Counts what was typed: a search that ends late must not replace a later one. */
  #asked = 0;

  constructor() {
    const head = element('div', { class: 'search-head' });
    head.append(this.#field, this.#close);
    this.#dialog.append(head, this.#note, this.#results);
    document.body.append(this.#dialog);
    this.#field.addEventListener('input', () => void this.#search());
    this.#field.addEventListener('keydown', (event) => this.#onKey(event));
    this.#close.addEventListener('click', () => this.#dialog.close());
    // A click beside the dialog is one on its backdrop.
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#results.addEventListener('click', () => this.#dialog.close());
  }

  open(): void {
    if (this.#dialog.open) return;
    const words = WORDS[currentLanguage()];
    for (const labelled of [this.#dialog, this.#field, this.#results]) labelled.setAttribute('aria-label', words.label);
    this.#field.placeholder = words.label;
    this.#close.textContent = words.close;
    this.#dialog.showModal();
    this.#field.select();
    void this.#search();
  }

  async #search(): Promise<void> {
    const asked = ++this.#asked;
    const query = this.#field.value.trim();
    let found: readonly SearchResult[] = [];
    let note = '';
    try {
      const index = await loadIndex();
      found = query === '' ? [] : findParts(index, query, LIMIT);
      if (query !== '' && found.length === 0) note = WORDS[currentLanguage()].empty;
    } catch {
      note = WORDS[currentLanguage()].failed;
    }
    if (asked !== this.#asked) return;
    this.#note.textContent = note;
    this.#results.replaceChildren(...found.map((result, place) => this.#item(result, place)));
    this.#field.setAttribute('aria-expanded', String(found.length > 0));
    this.#choose(found.length > 0 ? 0 : -1);
  }

  /** A link that is an option of the list: the focus stays in the field. */
  #item({ id, title, heading, zh }: SearchResult, place: number): HTMLElement {
    const item = element('a', {
      id: `search-result-${place}`,
      role: 'option',
      href: `${document.documentElement.dataset['root'] ?? ''}${id}`,
      tabindex: '-1',
      'aria-selected': 'false',
    });
    const under = element('span', { class: 'under' });
    const isChinese = currentLanguage() === 'zh' && zh !== '';
    under.textContent = [heading === title ? '' : title, isChinese ? zh : ''].filter(Boolean).join(' · ');
    item.append(heading, under);
    return item;
  }

  #choose(place: number): void {
    const items = [...this.#results.querySelectorAll('a')];
    this.#chosen = items.length === 0 ? -1 : (place + items.length) % items.length;
    for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === this.#chosen));
    const chosen = items[this.#chosen];
    if (chosen === undefined) this.#field.removeAttribute('aria-activedescendant');
    else this.#field.setAttribute('aria-activedescendant', chosen.id);
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  #onKey(event: KeyboardEvent): void {
    // Enter also ends the typing of Chinese; then it chooses nothing.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#choose(this.#chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#results.querySelectorAll('a')[this.#chosen]?.click();
    } else if (event.key === 'Escape') {
      // By itself, a field of this type is emptied first.
      event.preventDefault();
      this.#dialog.close();
    }
  }
}

/** True where a key is typed as text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Shows the button of the search. The key `/` opens it as well. */
export function startSearch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-search-open]');
  if (button === null) return;
  let dialog: SearchDialog | undefined;
  const open = (): void => {
    dialog ??= new SearchDialog();
    dialog.open();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    open();
  });
}
