import type { MappingStorage } from './kept.ts';

export function mappingStorage(): MappingStorage {
  try {
    return localStorage;
  } catch {
    // A browser that keeps nothing for frames of other sites.
    return undefined;
  }
}
