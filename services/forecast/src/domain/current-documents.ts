import type { GeneratedDocuments, Progress } from './forecast.ts';

/**
 * The progress after documents were generated: those of the newest version hold. Events may come twice, and late: documents of the same or an older
 * version change nothing.
 */
export function withDocuments(progress: Progress, documents: GeneratedDocuments): Progress {
  return (progress.documents?.version ?? 0) >= documents.version ? progress : { ...progress, documents };
}
