/** What was counted while a content passed. */
export interface ContentDigest {
  /** Bytes. */
  readonly size: number;
  /** MD5 in lower-case hex. The public API calls contents with the same MD5 identical. */
  readonly md5: string;
  /** SHA-256 in lower-case hex. Two contents can be made to share an MD5, so that only both digests together identify one. */
  readonly sha256: string;
}

/** What distinguishes a content from every other: two uploads of a tenant are of one content when both digests are the same. */
export type ContentIdentity = Pick<ContentDigest, 'md5' | 'sha256'>;
