/** A word that the product does not use, and what it uses instead. */
export interface Term {
  /** As a reader knows it, such as `hand over`. */
  readonly name: string;
  /** Found in the words of a file, see `find-terms.ts`: in lower case, ` ` between two words of a text, `-` between two parts of an identifier. */
  readonly pattern: RegExp;
  /** Terms of docs/glossary.md to use instead. */
  readonly use: readonly string[];
  /** Plain words that fit where none of those does. */
  readonly words?: string;
  /** Files in which the word has this meaning; default all. */
  readonly inFiles?: RegExp;
}

export const terms: readonly Term[] = [
  { name: 'answer', pattern: /\b(un)?answer(s|ed|ing|able|er|ers)?\b/g, use: ['response'], words: 'respond, return, reply' },
  {
    name: 'tell',
    pattern: /\b(re)?(tells?|told|untold|telling|tellings|tellable|teller)\b(?![ -]tale)/g,
    use: ['notify', 'pending', 'publish'],
    words: 'say, show, report, distinguish',
  },
  { name: 'door', pattern: /\bdoors?\b/g, use: ['admin server', 'admin port', 'public server', 'public port'] },
  { name: 'mend', pattern: /\bmend(s|ed|ing)?\b/g, use: [], words: 'fix, repair' },
  {
    name: 'slips',
    pattern: /\b(?<!packing[ -])slips\b|\ba slip (in|of)\b/g,
    use: ['unknown field'],
    words: 'typos, mistakes',
  },
  { name: 'in hand', pattern: /\bin[ -]hand\b(?!-(written|made|kept))/g, use: ['in-flight'] },
  { name: 'straggler', pattern: /\bstragglers?\b/g, use: ['orphan sweep'], words: 'orphan' },
  { name: 'thirsty', pattern: /\bthirst(y)?\b/g, use: ['refill'], words: 'needsRefill' },
  { name: 'keep up', pattern: /\bkeep(s|ing)?-up\b/g, use: ['maintenance'] },
  {
    name: 'hand over',
    pattern: /\b(?<!by )hand(s|ed|ing)?[ -](over|on|in|out|back)\b/g,
    use: [],
    words: 'pass, forward, give, issue, assign, return',
  },
  { name: 'take in', pattern: /\b(take|takes|taking|taken|took)[ -]in\b/g, use: ['receive', 'accept'] },
  { name: 'work off', pattern: /\bwork(s|ed|ing)?[ -]off\b/g, use: ['process'] },
  {
    name: 'give up',
    pattern:
      /\b(give|gives|gave|given|giving)[ -]up\b|\b(give|gives|gave|given|giving) (it|them|messages?|deliveries|events?|letters?) up\b/g,
    use: ['dead letter', 'final failure'],
    words: 'stop retrying, fail, delete',
  },
  { name: 'happening', pattern: /\b(?<!\b(is|are|was|were) )happenings?\b/g, use: ['fact'], words: 'change' },
  { name: 'end of the way', pattern: /\bend[ -]of[ -]the[ -]way\b/g, use: ['final status'] },
  { name: 'stamps', pattern: /\b(?<!time[ -])stamps\b/g, use: ['sequence', 'cursor'], words: 'timestamps' },
  { name: 'away circuit', pattern: /\baway-circuit\b/g, use: ['circuit breaker'] },
  {
    name: 'letter',
    pattern:
      /\b(?<!\b(dead|capital|small|cyrillic|european|first|last|one|two|three|single|upper|lower|case|by a|a|drive)[ -])letters?\b(?!( \|| or| and)? digits?\b|[ -]spacing\b|[ -]case\b)/g,
    use: ['dead letter'],
    inFiles: /dead[-_ ]?letter|\bdlq\b/i,
  },
  {
    name: 'stands',
    pattern:
      /\b(stands|stood)\b(?![ -](for|in for|out|alone|still|by)\b)|\bstand (there|here|in (?!for)|at|on|under|below|behind|beside|before|between|against|above|first|last|right)\b/g,
    use: [],
    words: 'is, are, applies',
  },
  { name: 'said of', pattern: /\bsaid of\b/g, use: [], words: 'the description of, what … says about' },
  {
    name: 'literary words',
    pattern:
      /\b(whence|thence|whither|hither|thither|thereof|whereof|lest|hereby|thereby|thereupon|whereupon|albeit|heretofore|hitherto)\b/g,
    use: [],
    words: 'a plain sentence',
  },
];
