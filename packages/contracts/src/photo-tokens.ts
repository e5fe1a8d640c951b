/** Path of a photo: its token and the extension. */
const PHOTO_URL = /\/photos\/([A-Za-z0-9_-]{22})\.(?:jpg|png|webp)$/;

/** A photo as the services store it has an id, a path and a URL; texts of warehouses and merchants cannot pass for one. */
function urlOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value['id'] !== 'number') return undefined;
  const url = typeof value['path'] === 'string' ? value['url'] : typeof value['image_path'] === 'string' ? value['image_url'] : undefined;
  return typeof url === 'string' ? url : undefined;
}

function collect(value: unknown, tokens: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const token = PHOTO_URL.exec(urlOf(value as Readonly<Record<string, unknown>>) ?? '')?.[1];
  if (token !== undefined) tokens.add(token);
  for (const inner of Object.values(value)) collect(inner, tokens);
}

/** Tokens of the photos anywhere in what a service stores, each once. */
export function photoTokensIn(value: unknown): readonly string[] {
  const tokens = new Set<string>();
  collect(value, tokens);
  return [...tokens];
}
