import { type AtParcel, type Bench, type Handover, moved, numbersOf, type Question, type Step, said } from './bench.ts';
import { lineAtCarrier } from './carrier.ts';
import { countLine } from './count-lines.ts';
import { dispatchReported } from './dispatch.ts';
import { commandOf, isParcelNumber } from './entry.ts';
import { alarmSeen } from './merchant-correction.ts';
import { recheckBegun } from './recheck.ts';
import { reasonsInOrder } from './report.ts';
import { reporting } from './reporting.ts';

/** Most characters of the words about an exception, and of those about a hold. */
const MAX_TEXT = 1000;
const MAX_HOLD_REASON = 500;

/** A line while the bench asks a question: the reply to it. */
export function lineAtQuestion(bench: Bench, asked: AtParcel, question: Question, line: string): Step {
  const { question: _settled, ...parcel } = asked;
  const numbers = numbersOf(parcel.subject);
  switch (question.ask) {
    case 'count':
      return countLine(bench, asked, question, line);
    case 'reason': {
      const reason = /^\d$/.test(line) ? reasonsInOrder[Number(line) - 1] : undefined;
      if (reason === undefined) return said(bench, 'chooseNumber');
      return { bench: moved(bench, { ...parcel, question: { ask: 'exception-text', reason } }), effects: [] };
    }
    case 'exception-text': {
      const text = line === '' ? {} : { text: line.slice(0, MAX_TEXT) };
      return reporting(bench, parcel, { type: 'exception', ...numbers, reason: question.reason, ...text }, parcel.photos);
    }
    case 'hold-reason': {
      const reason = line === '' ? {} : { reason: line.slice(0, MAX_HOLD_REASON) };
      return reporting(bench, parcel, { type: 'hold', ...numbers, ...reason });
    }
    case 'carrier':
      return lineAtCarrier(bench, parcel, question, line, (known, carrier, trackingNumber) =>
        trackingNumber === undefined
          ? { bench: moved(known, { ...parcel, question: { ask: 'tracking-number', carrier } }), effects: [] }
          : dispatched(known, parcel, { carrier, trackingNumber }),
      );
    case 'tracking-number':
      if (!isParcelNumber(line)) return said(bench, 'badTrackingNumber');
      return dispatched(bench, parcel, { carrier: question.carrier, trackingNumber: line });
    case 'corrected':
      // The letter again, never Enter: after D that is pressed to take the last carrier.
      if (commandOf(line) !== 'dispatch') return said(bench, 'confirmCorrected');
      return confirmed(alarmSeen(bench, parcel), question.handover);
  }
}

function dispatched(bench: Bench, parcel: AtParcel, handover: Handover): Step {
  return recheckBegun(bench, parcel, { what: 'dispatch', ...handover }) ?? dispatchReported(bench, parcel, handover);
}

/** The parcel is dispatched although it was corrected. */
function confirmed({ bench, parcel }: ReturnType<typeof alarmSeen>, handover: Handover | undefined): Step {
  if (handover === undefined) return { bench: moved(bench, { ...parcel, question: { ask: 'carrier' } }), effects: [] };
  return dispatched(bench, parcel, handover);
}
