import type { ForecastImport } from '@parcelway/contracts/import-api';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';

/** Tone of an import: one that is done is good only when no row failed. */
function toneOf({ state, failed }: ForecastImport): Tone {
  if (state === 'running') return 'busy';
  if (state === 'done') return failed === 0 ? 'good' : 'warn';
  return state === 'failed' ? 'bad' : 'quiet';
}

/** The state of an import in a word. */
export function ImportBadge({ record }: { readonly record: ForecastImport }) {
  const { t } = useWords();
  const { state, failed, validate_only } = record;
  const done = validate_only
    ? [t.imports.checked, t.imports.checkedWithErrors]
    : [t.imports.states['done'] ?? state, t.imports.doneWithFailures];
  const word = state === 'done' ? done[failed === 0 ? 0 : 1] : t.imports.states[state];
  return <Badge tone={toneOf(record)}>{word ?? state}</Badge>;
}
