function textsOf(words: object, path = ''): Array<readonly [path: string, text: string]> {
  return Object.entries(words).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[`${path}.${name}`, value] as const];
    return typeof value === 'function' ? [] : textsOf(value as object, `${path}.${name}`);
  });
}

/** The paths of empty texts, and the texts that are the same in both languages. */
export function compared(english: object, chinese: object) {
  const [en, zh] = [new Map(textsOf(english)), textsOf(chinese)];
  return {
    empty: [...en, ...zh].filter(([, text]) => text.trim() === '').map(([path]) => path),
    same: zh.filter(([path, text]) => en.get(path) === text).map(([, text]) => text),
  };
}
