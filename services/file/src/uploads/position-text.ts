import type { FilePosition } from './ports.ts';

/** A position as a text of digits, dots and a token. */
export function textOfPosition({ uploadedAt, token }: FilePosition): string {
  return `1.${uploadedAt}.${token}`;
}

/** The position in a text; undefined when {@link textOfPosition} did not make it. */
export function positionInText(text: string): FilePosition | undefined {
  const [, uploadedAt, token] = /^1\.(\d{1,15})\.([A-Za-z0-9_-]{22})$/.exec(text) ?? [];
  return token === undefined ? undefined : { uploadedAt: Number(uploadedAt), token };
}
