import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { DocumentContent, RenderedDocuments } from '../domain/forecast-documents.ts';
import { FontLibrary } from './font-library.ts';
import { renderDocuments } from './render-documents.ts';

/* The thread that renders documents: each message asks for the next piece of one rendering. */

/** Asks for the next piece of a rendering; `content` begins it, `drop` cancels it. */
export type RenderRequest = { readonly id: number; readonly content?: DocumentContent } | { readonly id: number; readonly drop: true };

/** The next piece, the end, or why there is none. A dropped rendering has no reply. */
export type RenderReply =
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly rendered: RenderedDocuments }
  | { readonly id: number; readonly failure: string };

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
const renderings = new Map<number, Generator<Uint8Array, RenderedDocuments>>();

function next(id: number, content: DocumentContent | undefined): RenderReply {
  try {
    const rendering = content === undefined ? renderings.get(id) : renderDocuments(library, content);
    if (!rendering) throw new Error('The rendering is not known');
    renderings.set(id, rendering);
    const step = rendering.next();
    if (!step.done) return { id, piece: step.value };
    renderings.delete(id);
    return { id, rendered: step.value };
  } catch (error) {
    renderings.delete(id);
    return { id, failure: (error as Error).message };
  }
}

parentPort?.on('message', (request: RenderRequest) => {
  if ('drop' in request) renderings.delete(request.id);
  else parentPort?.postMessage(next(request.id, request.content));
});
