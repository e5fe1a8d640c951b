/**
 * Partition of a key: FNV-1a over its UTF-8 bytes, modulo the number of partitions. Stable for ever, because records of
 * one key must meet in one partition however old the file is.
 */
export function partitionOfKey(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % partitions;
}
