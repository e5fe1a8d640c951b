import type { MappingStorage } from './kept.ts';

/** The storage of this browser. */
export function mappingStorage(): MappingStorage {
  try {
    return localStorage;
  } catch {
    // A browser that keeps nothing for frames of other sites.
    return undefined;
  }
}
