import { highlighted } from './highlight.ts';
import { escaped } from './html.ts';
import { type Samples, sampleLanguages } from './samples/samples.ts';

/** A block of code with a button that copies it, which the script of the site shows. @param label of the block, for who cannot see it */
export const codeBlock = (code: string, fence: string, label: string): string =>
  `<div class="code"><button type="button" class="copy-code" hidden data-zh="复制">Copy</button><pre tabindex="0" aria-label="${escaped(label)}" role="group"><code>${highlighted(code, fence)}\n</code></pre></div>`;

/**
 * Code in several languages, with a switch. Without script it shows the first language, and a link to all.
 * @param label of the code, such as `Submit a forecast`
 * @param markdownHref page that has all languages
 */
export function sampleTabs(samples: Samples, label: string, markdownHref: string): string {
  const languages = sampleLanguages.filter(({ id }) => samples[id] !== undefined);
  const buttons = languages.map(
    ({ id, name }, index) => `<button type="button" data-choose="${id}" aria-pressed="${index === 0}">${name}</button>`,
  );
  const blocks = languages.map(({ id, name, fence }, index) => {
    const block = codeBlock(samples[id] ?? '', fence, `${label}, ${name}`);
    return `<div data-sample="${id}"${index === 0 ? '' : ' hidden'}>${block}</div>`;
  });
  return `<div class="samples" data-samples>
<div class="sample-languages" role="group" aria-label="Language of the sample" data-zh-label="示例语言" hidden>${buttons.join('')}</div>
<p class="without-script"><a href="${escaped(markdownHref)}">All languages, as text</a></p>
${blocks.join('\n')}
</div>`;
}

/** The same in Markdown. @param ids of the languages to show; default all */
export const sampleFences = (samples: Samples, ids: readonly string[] = sampleLanguages.map(({ id }) => id)): string =>
  sampleLanguages
    .filter(({ id }) => samples[id] !== undefined && ids.includes(id))
    .map(({ id, name, fence }) => `${name}:\n\n\`\`\`${fence}\n${samples[id]}\n\`\`\``)
    .join('\n\n');
