/** A heading of a document. */
export interface Heading {
  readonly depth: number;
  /** As it is written, with its marks. */
  readonly text: string;
  /** The anchor that it has in the repository. */
  readonly anchor: string;
}

/** A part of a document: what comes before the first section, or a section. */
export interface DocumentPart {
  /** Headings in it, its own first. */
  readonly headings: readonly Heading[];
  readonly markdown: string;
}

/** A document in parts. */
export interface SplitDocument {
  readonly title: string;
  readonly intro: DocumentPart;
  /** One for each heading of the second level. */
  readonly sections: readonly DocumentPart[];
}

/** The anchor that GitHub gives a heading: lower case, letters, digits, blanks and hyphens only, blanks to hyphens. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/**
 * Splits a document at its headings of the second level. Anchors are those of the whole document: a heading that comes again gets `-1`, `-2`, …
 * @throws Error for a document that does not begin with its title
 */
export function splitDocument(markdown: string): SplitDocument {
  const anchors = new Set<string>();
  const unique = (heading: string): string => {
    const anchor = anchorOf(heading);
    let free = anchor;
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`;
    anchors.add(free);
    return free;
  };
  const parts: Array<{ headings: Heading[]; lines: string[] }> = [{ headings: [], lines: [] }];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [, mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark === fence && line.trim() === mark) fence = '';
    const [, marks = '', text = ''] = (fence === '' && /^(#{1,6}) (.+)$/.exec(line)) || [];
    if (marks === '##') parts.push({ headings: [], lines: [] });
    const part = parts.at(-1) as { headings: Heading[]; lines: string[] };
    if (marks !== '') part.headings.push({ depth: marks.length, text, anchor: unique(text) });
    part.lines.push(line);
  }
  const [intro, ...sections] = parts.map(({ headings, lines }) => ({ headings, markdown: `${lines.join('\n').trim()}\n` }));
  const title = intro?.headings[0];
  if (intro === undefined || title?.depth !== 1) throw new Error('A guide begins with its title, a heading of the first level');
  return { title: title.text, intro, sections };
}

/** The introduction without its list of sections, which the navigation shows anyway, and of the documents at the end of that list. */
export const withoutContents = (markdown: string): string =>
  markdown.replace(/(?:^- \[[^\]]*\]\(#[^)]*\)\n)+(?:^- \[[^\]]*\]\([a-z-]+\.md\)\n)*/m, '');
