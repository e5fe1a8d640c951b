/** What a status means for the reader; decides colour and mark. */
export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'busy' | 'quiet';

/** A mark for each tone, so that no status is shown by colour alone. */
const MARKS: Readonly<Record<Tone, string>> = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  warn: 'M8 3.5v6m0 2.8v.2',
  wait: 'M8 5v3.2l2 1.3M13.5 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 1 1 11 0',
  busy: 'M4 8h8M8.5 4.5L12 8l-3.5 3.5',
  quiet: 'M4.5 8h7',
};

/** A status in a word, with a mark and a colour. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`badge badge-${tone}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={MARKS[tone]} />
      </svg>
      {children}
    </span>
  );
}

const DELIVERY_TONES: Readonly<Record<string, Tone>> = { pending: 'wait', succeeded: 'good', failed: 'bad', held: 'quiet' };
/** Tone of the status of a delivery. */
export const deliveryTone = (status: string): Tone => DELIVERY_TONES[status] ?? 'quiet';

const FORECAST_TONES: Readonly<Record<number, Tone>> = { 1: 'busy', 2: 'busy', 3: 'busy', 4: 'busy', 5: 'busy', 6: 'good', 7: 'quiet' };
/** Tone of the status of a forecast, 1 to 7. */
export const forecastTone = (status: number): Tone => FORECAST_TONES[status] ?? 'quiet';

const ENDPOINT_TONES: Readonly<Record<string, Tone>> = { enabled: 'good', paused: 'wait', disabled: 'quiet' };
/** Tone of the state of an endpoint. */
export const endpointTone = (status: string): Tone => ENDPOINT_TONES[status] ?? 'quiet';

const HEALTH_TONES: Readonly<Record<string, Tone>> = { ok: 'good', failing: 'bad', circuit_open: 'bad' };
/** Tone of the health of an endpoint. */
export const healthTone = (state: string): Tone => HEALTH_TONES[state] ?? 'quiet';

/** Tone of an HTTP status; null when there was no response. */
export function responseTone(status: number | null): Tone {
  return status !== null && status >= 200 && status < 300 ? 'good' : 'bad';
}
