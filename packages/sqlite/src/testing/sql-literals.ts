import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A literal that begins like a statement; white space after the verb keeps prose out. */
const STATEMENT = /(['"`])\s*((?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\s(?:(?!\1)[^\\]|\\[\s\S])*)\1/g;
/** A literal that is a part of one: it compares with a parameter. */
const PART = /(['"`])((?:(?!\1)[^\\\n])*\s(?:[<>]=?|=|<>|IN|IS)\s*\(?\?(?:(?!\1)[^\\\n])*)\1/g;
const TABLE = /\b(FROM|INTO|UPDATE)\b/;
/** An expression within a template literal. */
const HOLE = /\$\{[^}]*\}/;

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The SQL in a source text that reads or writes a table: statements, and parts that statements are put together from. */
export function sqlLiterals(source: string): string[] {
  const statements = [...source.matchAll(STATEMENT)].map((match) => match[2] as string);
  const parts = [...source.matchAll(PART)].map((match) => match[2] as string);
  return [...new Set([...statements.filter((text) => TABLE.test(text)), ...parts])];
}

/**
 * SQL that is in source files and that none of the statements contains.
 * @param statements texts of statements that were run
 */
export function literalsNotRun(files: readonly URL[], statements: readonly string[]): string[] {
  const run = statements.map(flat);
  return files.flatMap((file) => {
    const source = readFileSync(fileURLToPath(file), 'utf8');
    return sqlLiterals(source).flatMap((literal) => {
      const pattern = new RegExp(flat(literal.replaceAll('\\`', '`')).split(HOLE).map(escaped).join('.*'));
      return run.some((sql) => pattern.test(sql)) ? [] : `${file.pathname.split('/').at(-1)}: ${flat(literal)}`;
    });
  });
}
