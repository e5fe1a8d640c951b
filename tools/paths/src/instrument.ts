import { type AwaitExpression, parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import { type FoundFunction, functionsOf } from './functions.ts';

/** The global that instrumented code calls: a tracer. */
const TRACER = 'globalThis.parcelwayTracer';

/** A text to insert before the character at `at`. Of two at one place, that of the outer expression comes first. */
interface Insertion {
  readonly at: number;
  readonly depth: number;
  readonly text: string;
}

/** Insertions that report the call of a function. */
function aroundFunction({ node, name, ancestors }: FoundFunction, file: string): Insertion[] {
  const call = `${TRACER}.enter(${JSON.stringify(file)}, ${JSON.stringify(name)})`;
  const depth = ancestors.length;
  if (node.body.type === 'BlockStatement') return [{ at: node.body.start + 1, depth, text: `${call};` }];
  return [
    { at: node.body.start, depth, text: `(${call}, ` },
    { at: node.body.end, depth, text: ')' },
  ];
}

/** Insertions that report the pause of an async function, and its end. */
function aroundAwait(node: AwaitExpression, depth: number): Insertion[] {
  return [
    { at: node.start, depth, text: `${TRACER}.resumed(` },
    { at: node.argument.start, depth: depth + 0.5, text: `${TRACER}.suspended((` },
    { at: node.argument.end, depth, text: '))' },
    { at: node.end, depth, text: ')' },
  ];
}

/**
 * Adds to JavaScript a call of the tracer at the start of functions and around every `await`. Lines stay where they are.
 * @param source an ES module
 * @param file the name to report for its functions
 * @param everyFunction also functions that are one expression (`(order) => order.id`), which a reader understands in place
 * @throws SyntaxError when the source is not valid JavaScript
 */
export function instrument(source: string, file: string, everyFunction: boolean): string {
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const functions = functionsOf(program).filter(({ node }) => everyFunction || node.body.type === 'BlockStatement');
  const insertions = functions.flatMap((found) => aroundFunction(found, file));
  ancestor(program, {
    AwaitExpression: (node, _state, ancestors) => void insertions.push(...aroundAwait(node, ancestors.length)),
  });
  insertions.sort((a, b) => a.at - b.at || a.depth - b.depth);
  let text = '';
  let from = 0;
  for (const insertion of insertions) {
    text += source.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return text + source.slice(from);
}
