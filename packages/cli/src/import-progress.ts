import type { ForecastImport } from '@parcelway/sdk';

const WIDTH = 30;

/** How far an import is, as one line without its end. */
export function progressLine({ phase, total, accepted, failed }: ForecastImport): string {
  if (phase === 'waiting') return 'Waiting for its turn';
  if (phase === 'reading') return `Reading: ${total} rows`;
  const done = accepted + failed;
  const filled = total === 0 ? 0 : Math.floor((WIDTH * done) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done} of ${total} rows, ${failed} failed`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What became of an import, in lines with their ends. */
export function importSummary(result: ForecastImport): string {
  const { import_id, state, validate_only, accepted, failed, forecasts_accepted, forecasts_failed, error, warnings } = result;
  const lines = warnings.map(({ field, message }) => `Warning: ${field}: ${message}`);
  if (state === 'running') return [...lines, `The import ${import_id} has begun.`, ''].join('\n');
  if (error) return [...lines, `The file cannot be imported (${error.code}): ${error.message}`, ''].join('\n');
  const verb = validate_only ? 'would be accepted' : 'accepted';
  lines.push(`${counted(forecasts_accepted, 'forecast')} (${counted(accepted, 'row')}) ${verb}.`);
  if (failed > 0) lines.push(`${counted(forecasts_failed, 'forecast')} (${counted(failed, 'row')}) failed.`);
  if (state === 'cancelled') lines.push('The import was cancelled; the other rows were not submitted.');
  return [...lines, ''].join('\n');
}
