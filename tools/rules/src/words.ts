/** The words of a text, one behind the other, and where each of them begins. */
export interface Words {
  /** In lower case. Between two words: ` ` where white space parts them, `-` where they are parts of an identifier, ` | ` elsewhere. */
  readonly text: string;
  /** @returns the line of the source, from 1, of a place in `text` */
  lineOf(place: number): number;
}

/** Words of camelCase, PascalCase, snake_case and kebab-case; several capitals are one word. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** What a line of a comment, a list or a table in front of its text holds. */
const SPACE = /^(?:\s|[*#>]|\/\/)+$/;
const IDENTIFIER = /^[-_]?$/;

function separator(between: string): string {
  if (IDENTIFIER.test(between)) return '-';
  return SPACE.test(between) ? ' ' : ' | ';
}

/** Takes a source apart into its words. A line feed that is written `\n` is white space. */
export function wordsOf(source: string): Words {
  const plain = source.replace(/\\[nt]/g, '  ');
  const places: { readonly at: number; readonly from: number }[] = [];
  let text = '';
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    if (text !== '') text += separator(plain.slice(end, index));
    places.push({ at: text.length, from: index });
    text += word.toLowerCase();
    end = index + word.length;
  }
  return {
    text,
    lineOf(place) {
      const from = places.findLast(({ at }) => at <= place)?.from ?? 0;
      return plain.slice(0, from).split('\n').length;
    },
  };
}
