/** What an inspection reads of a PDF. */
export interface PdfFindings {
  /** False when the PDF was too complex to be read in time; then the rest says nothing. */
  readonly isReadable: boolean;
  readonly isEncrypted: boolean;
  /** 0 when the page tree is missing or damaged. */
  readonly pages: number;
}
