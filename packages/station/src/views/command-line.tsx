import { fill, nameIn } from '@parcelway/page/languages';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Bench, hasUnsaved, isCancelled, type Notice, phaseOf } from '../domain/bench.ts';
import type { Size } from '../domain/entry.ts';
import { isEmpty } from '../domain/unclaimed.ts';
import { useWords } from '../messages/language.ts';
import type { Messages } from '../messages/words.ts';

export const sizeText = ({ lengthCm, widthCm, heightCm }: Size): string => `${lengthCm} × ${widthCm} × ${heightCm} cm`;

function promptOf({ flow, reading }: Bench, t: Messages): string {
  if (flow.at === 'unclaimed' && flow.doing.what === 'list' && isEmpty(flow.page)) return t.unclaimed.nothing;
  if (flow.at === 'unclaimed') return t.unclaimed.prompts[flow.doing.what];
  if (flow.at === 'choose' && flow.candidates.length === 1) return t.prompts.confirm;
  if (flow.at === 'unknown' && flow.asked === true) return t.prompts.carriersNumber;
  if (flow.at !== 'parcel') return t.prompts[flow.at];
  if (flow.checking !== undefined) return t.prompts.checking;
  if (flow.question !== undefined) return t.questions[flow.question.ask];
  if (isCancelled(flow.subject) && !hasUnsaved(flow)) return t.prompts.cancelled;
  const phase = phaseOf(flow);
  return phase === 'weight' && reading !== undefined ? t.prompts.weightOrScale : t.prompts[phase];
}

/** What Enter or `=` would take. */
function hintOf({ flow, lastCarrier, lastSize }: Bench, t: Messages): string {
  if (flow.at !== 'parcel') return '';
  if (flow.question?.ask === 'carrier') {
    const { unknown, detected } = flow.question;
    if (unknown !== undefined) return fill(t.confirmCarrier, unknown);
    if (detected !== undefined) return fill(t.detectedCarrier, detected);
    if (lastCarrier !== undefined) return fill(t.lastCarrier, lastCarrier);
  }
  if (flow.question?.ask === 'count' && flow.question.current !== undefined) return fill(t.count.marked, flow.question.current);
  if (flow.question === undefined && isCancelled(flow.subject) && !hasUnsaved(flow)) return t.cancelledWeight;
  if (flow.question === undefined && phaseOf(flow) === 'ready') return t.corrects;
  if (flow.question !== undefined || lastSize === undefined || phaseOf(flow) !== 'size') return '';
  return fill(t.sameSize, sizeText(lastSize));
}

/** What might be typed now. It says “such as”, so that it is not mistaken for a measured weight. */
function exampleOf({ flow }: Bench, { examples }: Messages): string {
  if (flow.at === 'scan') return examples.scan;
  if (flow.at !== 'parcel' || flow.question !== undefined || isCancelled(flow.subject)) return '';
  const phase = phaseOf(flow);
  return phase === 'ready' ? '' : examples[phase];
}

/** What else is said: what was reported of a parcel that is done, of how many reports, or a text. */
function detailOf({ done, reports, detail = '' }: Notice, t: Messages): string {
  if (done !== undefined)
    return done.weightKg === undefined ? fill(t.doneUnweighed, done.photos) : fill(t.done, done.weightKg, done.photos);
  if (reports === undefined) return detail;
  return detail === '' ? fill(t.reportCount, reports) : `${detail} (${fill(t.reportCount, reports)})`;
}

const TAKES_TEXT = 'input, select, textarea';

/** Gives the field the focus whenever nothing else that takes text has it. */
function useFocusKeptIn(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const lifetime = new AbortController();
    const { signal } = lifetime;
    const take = (): void => {
      if (document.querySelector('dialog[open]') === null) field.current?.focus();
    };
    const onKey = (event: KeyboardEvent): void => {
      // From a link or a button back into the field; there the next Escape goes back.
      if (event.key === 'Escape' && document.activeElement !== field.current) take();
      if (event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1 || event.key === ' ') return;
      if (!(document.activeElement?.matches(TAKES_TEXT) ?? false)) take();
    };
    // After a click, once it has been dealt with; the focus that it gives to a button is of no use here.
    const onClick = (event: MouseEvent): void => {
      if (!(event.target instanceof Element && event.target.closest(TAKES_TEXT))) setTimeout(take);
    };
    const onFocusLost = (): void => {
      setTimeout(() => {
        if (document.activeElement === document.body) take();
      });
    };
    // Scanned into a list of choices, a number would choose another one.
    const onChange = (event: Event): void => {
      if (event.target instanceof HTMLSelectElement) setTimeout(take);
    };
    addEventListener('keydown', onKey, { signal });
    addEventListener('change', onChange, { signal });
    addEventListener('click', onClick, { signal });
    addEventListener('focusout', onFocusLost, { signal });
    // Back from another window: what had the focus there before, such as a link, is done with.
    addEventListener('focus', take, { signal });
    take();
    return () => lifetime.abort();
  }, [field]);
}

export interface CommandLineProps {
  readonly bench: Bench;
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
  readonly children: ComponentChildren;
}

/** The one field of the bench: it takes scans, weights, sizes, letters and texts, and always has the focus. */
export function CommandLine({ bench, onLine, onEscape, children }: CommandLineProps) {
  const { t } = useWords();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useFocusKeptIn(field);
  const { notice } = bench;
  const noticeValue = notice?.key === 'reported' ? nameIn(t.reportTypes, notice.value ?? '', '') : (notice?.value ?? '');
  const saying = notice === undefined ? hintOf(bench, t) : t.notices[notice.key];
  return (
    <form
      class="command-line"
      onSubmit={(event) => {
        event.preventDefault();
        const input = field.current;
        if (input === null) return;
        const text = input.value;
        input.value = '';
        onLine(text);
      }}
    >
      <label for={id}>{promptOf(bench, t)}</label>
      <input
        id={id}
        ref={field}
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={1024}
        placeholder={exampleOf(bench, t)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          // The first Escape clears what is half typed, the next one goes back.
          if (event.currentTarget.value === '') onEscape();
          else event.currentTarget.value = '';
        }}
      />
      <div class="messages">
        <p class={`said said-${notice?.tone ?? 'none'}`} role="status" aria-live="assertive">
          {notice === undefined ? saying : fill(saying, noticeValue, detailOf(notice, t))}
        </p>
        <div role="status">{children}</div>
      </div>
    </form>
  );
}
