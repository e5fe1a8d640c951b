import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { escaped } from './html.ts';

const views = fileURLToPath(new URL('../../src/templates/', import.meta.url));
const eta = new Eta({ views, autoTrim: false, cache: true, escapeFunction: (value) => escaped(String(value)) });

/** Fills a template of `src/templates`. @param name its path there, without `.eta` @param data what it reads as `it` */
export const render = (name: string, data: object): string => eta.render(`./${name}`, data).replace(/\n$/, '');
