import type { WarehouseForecast } from '@parcelway/contracts/warehouse-view-api';
import { type AtParcel, type Bench, moved, type Step, type Subject, said, titleOf } from './bench.ts';
import { countReported } from './count-lines.ts';
import type { BenchPhoto, ReportDraft } from './report.ts';

/** The parcel once it is put on hold or released: what an earlier hold said is no longer shown. */
function heldSubject({ holdReason: _earlier, ...subject }: Subject, forecast: WarehouseForecast, draft: ReportDraft): Subject {
  if (draft.type !== 'hold') return { ...subject, forecast: { ...forecast, on_hold: false }, heldHere: false };
  return { ...subject, forecast: { ...forecast, on_hold: true }, heldHere: true, holdReason: draft.reason ?? '' };
}

/** The parcel with an exception that was reported here. */
function exceptedSubject(subject: Subject, draft: ReportDraft): Subject {
  if (draft.type !== 'exception') return subject;
  const { reason, text } = draft;
  return { ...subject, excepted: [{ reason, ...(text !== undefined && { text }) }, ...(subject.excepted ?? [])] };
}

/** Reports something about the parcel, which stays on the bench. `hold` and `release` show at once; a count that goes with it is reported. */
export function reporting(bench: Bench, here: AtParcel, draft: ReportDraft, photos: readonly BenchPhoto[] = []): Step {
  if (bench.full) return said(bench, 'queueFull');
  const parcel = 'received_items' in draft ? countReported(here) : here;
  const { forecast } = parcel.subject;
  const held = draft.type === 'hold' || draft.type === 'release';
  const subject = held && forecast ? heldSubject(parcel.subject, forecast, draft) : exceptedSubject(parcel.subject, draft);
  const left = parcel.photos.filter((photo) => !photos.includes(photo));
  const title = titleOf(subject);
  return {
    bench: moved(bench, { ...parcel, subject, photos: left }, { tone: 'good', key: 'reported', value: draft.type }),
    effects: [{ do: 'report', title, draft, photos }],
  };
}
