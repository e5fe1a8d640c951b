import { cellText } from '../table.ts';

/** What happens while listening, in the order in which it does. */
export type Note =
  | { readonly type: 'ready'; readonly secret: string | null; readonly endpoint_id: string | null; readonly forward_to: string }
  | { readonly type: 'event'; readonly event_id: string; readonly event_type: string }
  | {
      readonly type: 'response';
      readonly event_id: string;
      readonly status: number;
      readonly status_text: string;
      readonly duration_ms: number;
    }
  | { readonly type: 'local_program_away'; readonly event_id: string; readonly reason: string; readonly retry_in_ms: number | null }
  | { readonly type: 'platform_away'; readonly reason: string; readonly retry_in_ms: number }
  | { readonly type: 'platform_back' }
  | { readonly type: 'end'; readonly accepted: number; readonly refused: number; readonly skipped: number };

const seconds = (ms: number): string => `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
const events = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;

/** `2026-11-21 21:30:05`, in the time of this machine. */
function clockText(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

function readyText({ secret, endpoint_id, forward_to }: Extract<Note, { type: 'ready' }>): string {
  const signed =
    secret === null
      ? `Webhooks are signed with the secret of ${cellText(endpoint_id)}.`
      : `Your webhook signing secret is ${cellText(secret)}`;
  return `Ready. ${signed}\nForwarding to ${cellText(forward_to)} (press Ctrl-C to stop)\n`;
}

function lineText(note: Exclude<Note, { type: 'ready' }>): string {
  switch (note.type) {
    case 'event':
      return `  --> ${cellText(note.event_type)}  ${cellText(note.event_id)}`;
    case 'response':
      return `  <-- ${note.status} ${cellText(note.status_text)}  ${note.duration_ms} ms  ${cellText(note.event_id)}`;
    case 'local_program_away': {
      const then = note.retry_in_ms === null ? 'skipped' : `retry in ${seconds(note.retry_in_ms)}`;
      return `  <-- no response: ${cellText(note.reason)}  ${then}  ${cellText(note.event_id)}`;
    }
    case 'platform_away':
      return `  !   The platform is unavailable: ${cellText(note.reason)}; retry in ${seconds(note.retry_in_ms)}`;
    case 'platform_back':
      return '  !   The platform is available again';
    case 'end':
      return `  Stopped. ${events(note.accepted)} accepted, ${note.refused} refused, ${note.skipped} skipped.`;
  }
}

/** A note for people: a line with the time, or two at the beginning. */
export function renderNote(note: Note, at: Date): string {
  return note.type === 'ready' ? readyText(note) : `${clockText(at)}${lineText(note)}\n`;
}

/** A note for programs: one JSON object in a line. */
export function renderJsonNote(note: Note, at: Date): string {
  const { type, ...rest } = note;
  return `${JSON.stringify({ type, time: at.toISOString(), ...rest })}\n`;
}
