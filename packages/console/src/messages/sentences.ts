/** What the platform says → what the page says instead. */
export type Sentences = ReadonlyArray<readonly [sentence: RegExp, text: string]>;

export function inWords(sentence: string, sentences: Sentences): string {
  for (const [pattern, text] of sentences) if (pattern.test(sentence)) return sentence.replace(pattern, text).trim();
  return sentence;
}
