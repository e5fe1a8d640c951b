import { jsonTokens, prettyJson } from '../format/json.ts';
import { CopyButton } from './copy-button.tsx';

/** A text in lines, JSON set out and coloured; copied as it came. @param label names it, also for those who cannot see it */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  const pretty = prettyJson(text);
  const isJson = pretty !== text || /^\s*[[{]/.test(text);
  return (
    <div class="code">
      <header>
        <span>{label}</span>
        <CopyButton text={text} what={label} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a named group of text */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>
          {isJson
            ? jsonTokens(pretty).map(([kind, piece], index) =>
                kind === 'plain' ? (
                  piece
                ) : (
                  <span key={index} class={`json-${kind}`}>
                    {piece}
                  </span>
                ),
              )
            : pretty}
        </code>
      </pre>
    </div>
  );
}
