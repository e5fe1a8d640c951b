import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import { FontLibrary } from './fonts.ts';
import { renderDocuments } from './render-documents.ts';

/* The thread that renders documents: each message is a content, and has one reply. */

/** The documents, or why there are none. */
export type RenderReply = RenderedDocuments | { readonly failure: string };

/** Documents give way to requests: of nice values from -20 to 19, threads have 0 unless they say so. */
const NICE = 10;

/** Lowers the priority of this thread where the system lets it: on Linux a thread has an id of its own. */
function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, NICE);
  } catch {
    // Elsewhere the thread has the priority of the process, which is as it was.
  }
}

giveWay();
const library = new FontLibrary();

function render(content: DocumentContent): RenderReply {
  try {
    return renderDocuments(library, content);
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

parentPort?.on('message', (content: DocumentContent) => parentPort?.postMessage(render(content)));
