/** What of a tenant is measured: PDFs that it uploaded, or its own images. */
export type StoredKind = 'pdf' | 'image';

/** A part of what a tenant has stored. */
export interface StoragePage {
  readonly files: number;
  /** Their sizes together. */
  readonly bytes: number;
  /** The place of the last of them; '' for an empty page. */
  readonly last: string;
}

/** What tenants have stored: their PDFs and own images, without those that they, or the retention, have deleted. Each step reads an index alone. */
export interface StoredContents {
  /**
   * The first tenant behind another, in the order of ids. It has files, or has had some.
   * @param after a tenant; '' at first
   * @throws AppError 50301
   */
  nextTenant(after: string): Promise<string | undefined>;
  /**
   * The next files of a kind of a tenant, in an order that nothing changes.
   * @param after the place of the last one before; '' at first
   * @param limit files of the page, at most. Fewer are the last ones
   * @throws AppError 50301
   */
  page(tenantId: string, kind: StoredKind, after: string, limit: number): Promise<StoragePage>;
}
