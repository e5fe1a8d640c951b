import type { DeliveryAttempt, DeliveryDetail } from '@parcelway/contracts/webhook-delivery-api';
import { useNow } from '../../data/use-now.ts';
import { absoluteTime, relativeTime } from '../../format/time.ts';
import type { Messages } from '../../messages/en.ts';
import { useWords } from '../../messages/language.ts';
import { lastFault } from './attempt-error.ts';

/** Why the next attempt is when it is, or why there is none. */
function reasonOf(
  { status, test, next_attempt_reason }: DeliveryDetail,
  last: DeliveryAttempt | undefined,
  words: Messages['delivery'],
): string {
  if (status === 'failed' && test) return words.ends.testFailed;
  if (status !== 'pending') return words.ends[status];
  const asked = next_attempt_reason === 'retry_after' && last?.retry_after ? words.retryAfter(last.retry_after) : '';
  return (words.reasons[next_attempt_reason ?? 'first'] ?? '') + asked;
}

/** Shows what brings a merchant here: what went wrong, and what happens next. */
export function NextStep({ delivery, attempts }: { readonly delivery: DeliveryDetail; readonly attempts: readonly DeliveryAttempt[] }) {
  const { t, locale } = useWords();
  const now = useNow();
  const last = attempts.at(-1);
  const { status, next_attempt_time: next } = delivery;
  const tone = status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'wait';
  const at = next === null ? 0 : Date.parse(next);
  const fault = lastFault(status, last, t.delivery);
  return (
    <section class={`notice notice-${tone} next-step`} aria-label={t.delivery.what}>
      {status === 'pending' && next !== null && (
        <p class="next-time">
          <time dateTime={next} title={next}>
            {at <= now ? t.delivery.due : t.delivery.nextAt(relativeTime(at, now, locale))}
          </time>{' '}
          <span class="faint">{absoluteTime(at, locale)}</span>
        </p>
      )}
      {fault !== '' && <p>{fault}</p>}
      <p>{reasonOf(delivery, last, t.delivery)}</p>
    </section>
  );
}
