import { keepChoice, keptChoice } from './kept-choice.ts';

/** Shows one language in all samples of the page; where a sample lacks it, the first that it has. */
function show(language: string): void {
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
      show(language);
      keepChoice('samples', language);
      scrollBy(0, group.getBoundingClientRect().top - before);
    });
  }
  const kept = keptChoice('samples');
  if (kept !== undefined) show(kept);
}
