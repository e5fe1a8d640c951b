import { maskSecrets } from '@parcelway/kernel/mask-secrets';

const MAX_DATA_CHARACTERS = 4096;
const MAX_MESSAGE_CHARACTERS = 1000;
const MAX_PATH_CHARACTERS = 500;

/** A text without secrets, and cut. */
export function keptText(text: string, most: number): string {
  const kept = maskSecrets(text);
  return kept.length <= most ? kept : `${kept.slice(0, most - 1)}…`;
}

/** The path of a call as it is kept. */
export const keptPath = (path: string): string => keptText(path, MAX_PATH_CHARACTERS);

/** What is kept of the envelope of a failure, without secrets. @param envelope parsed JSON, of whatever shape */
export function failureContent(envelope: unknown): Record<'code' | 'message' | 'data', string | null> {
  const { code, message, data } = (typeof envelope === 'object' && envelope !== null ? envelope : {}) as Record<string, unknown>;
  const json = data === undefined || data === null ? null : maskSecrets(JSON.stringify(data));
  return {
    code: typeof code === 'string' ? code : null,
    message: typeof message === 'string' ? maskSecrets(message).slice(0, MAX_MESSAGE_CHARACTERS) : null,
    data: json !== null && json.length <= MAX_DATA_CHARACTERS ? json : null,
  };
}
