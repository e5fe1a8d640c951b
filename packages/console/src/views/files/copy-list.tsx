import { useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../../api/webhooks.ts';
import { copyText } from '../../data/copy-text.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { MOST_COPIED, type NamedFile, type ReadFiles, readFiles, tableOf } from './names-and-urls.ts';

/** What the button needs. */
export interface CopyListProps {
  /** Asks for the page of the list at a cursor; undefined for the first. @throws ApiFailure */
  readonly readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<NamedFile>>;
}

/** Copies the names and URLs of all files of a list, not only of those that are shown. */
export function CopyList({ readPage }: CopyListProps) {
  const { t } = useWords();
  const { busy, failure, run } = useAction();
  const [said, setSaid] = useState('');
  // Read, but not copied: after a long reading, a browser may want another click.
  const kept = useRef<ReadFiles | undefined>(undefined);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const copy = async (): Promise<void> => {
    const before = kept.current;
    kept.current = undefined;
    setSaid(t.common.loading);
    const read = (cursor: string | undefined) => readPage(cursor, stop.current.signal);
    const found = before ?? (await readFiles(read, (count) => setSaid(t.files.reading(count))));
    const { length } = found.files;
    if (await copyText(tableOf(found.files))) return setSaid(found.isCut ? t.files.copiedFirst(MOST_COPIED) : t.files.copiedRows(length));
    if (before !== undefined) return setSaid(t.common.notCopied);
    kept.current = found;
    setSaid(t.files.copyAgain(length));
  };
  return (
    <>
      <div class="filters">
        <button type="button" aria-disabled={busy} onClick={() => run(copy)}>
          {t.files.copyList}
        </button>
        <p class="hint" role="status">
          {failure === undefined && said}
        </p>
      </div>
      <FailureNotice failure={failure} />
    </>
  );
}
