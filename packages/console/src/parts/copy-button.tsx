import { useAnnounce } from '@parcelway/page/parts/announce';
import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';

/** Copies a text. @param what names it for screen readers */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const { t } = useWords();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // There is no clipboard without HTTPS, and a browser may forbid it.
      announce(t.common.notCopied);
      return;
    }
    setCopied(true);
    announce(t.common.copied);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={t.common.copyOf(what)} title={t.common.copyOf(what)}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {copied ? <path d="M3.5 8.5l3 3 6-7" /> : <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />}
      </svg>
    </button>
  );
}

/** An identifier with a button that copies it. */
export function CopyableId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span class="copyable">
      <code class="id">{id}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}
