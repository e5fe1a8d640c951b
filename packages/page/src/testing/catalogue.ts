function flat(words: object, path = ''): Array<readonly [path: string, value: string]> {
  return Object.entries(words).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[at, value] as const];
    return typeof value === 'function' ? [[at, `function of ${value.length}`] as const] : flat(value as object, at);
  });
}

/** What is to be the same, and what is not, in the two languages of a page. */
export function compared(english: object, chinese: object) {
  const [en, zh] = [new Map(flat(english)), new Map(flat(chinese))];
  return {
    onlyInOne: [...[...en.keys()].filter((path) => !zh.has(path)), ...[...zh.keys()].filter((path) => !en.has(path))],
    empty: [...en, ...zh].filter(([, text]) => text.trim() === '').map(([path]) => path),
    same: [...zh].filter(([path, text]) => en.get(path) === text && !text.startsWith('function')).map(([, text]) => text),
  };
}
