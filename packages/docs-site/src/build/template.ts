import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { escaped, inline, paragraphs, sentence } from './html.ts';

const views = fileURLToPath(new URL('../../src/templates/', import.meta.url));
const eta = new Eta({ views, autoTrim: false, cache: true, escapeFunction: (value) => escaped(String(value)) });

/** Fills a template of `src/templates`. @param name its path there, without `.eta` @param data what it reads as `it`, beside the functions for texts */
export const render = (name: string, data: object): string =>
  eta.render(`./${name}`, { escaped, inline, paragraphs, sentence, ...data }).replace(/\n$/, '');
