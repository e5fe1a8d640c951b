/** View → its path after `#`, such as `tenants/:id` or `topics/:topic?`, and field → query parameter. */
export type Places<View extends string> = Readonly<Record<View, readonly [path: string, query?: Readonly<Record<string, string>>]>>;
/** A route: its view and the fields of the view. */
type Fields<View extends string = string> = { readonly view: View } & Readonly<Record<string, string>>;

/** The part of the address after `#`, such as `#/webhooks/ep_1?status=failed`. */
export function hrefIn<View extends string>(places: Places<View>, route: { readonly view: View }): string {
  const [path, query = {}] = places[route.view];
  const textOf = (field: string): string => (route as Fields<View>)[field] ?? '';
  const parts = path.split('/').map((part) => (part.startsWith(':') ? encodeURIComponent(textOf(part.replace(/[:?]/g, ''))) : part));
  const values = Object.entries(query).map(([field, name]): [string, string] => [name, textOf(field)]);
  const present = values.filter(([, value]) => value !== '');
  return `#/${parts.filter((part) => part !== '').join('/')}${present.length === 0 ? '' : `?${new URLSearchParams(present)}`}`;
}

/** Decodes a part of an address; undefined when it is badly encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The inverse of {@link hrefIn}: the first place whose path matches the address; undefined when no path matches. */
export function routeIn<View extends string>(places: Places<View>, hash: string): Fields<View> | undefined {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  const values = new URLSearchParams(search);
  for (const view of Object.keys(places) as View[]) {
    const [pattern, query = {}] = places[view];
    const names = pattern.split('/').filter((name) => name !== '');
    const least = names.filter((name) => !name.endsWith('?')).length;
    if (parts.length > names.length || parts.length < least) continue;
    if (!names.every((name, index) => name.startsWith(':') || name === parts[index])) continue;
    const inPath = names.flatMap((name, index) => (name.startsWith(':') ? [[name.replace(/[:?]/g, ''), decoded(parts[index] ?? '')]] : []));
    if (inPath.some(([, value]) => value === undefined)) return undefined;
    const inQuery = Object.entries(query).map(([field, name]) => [field, values.get(name) ?? '']);
    return { view, ...Object.fromEntries([...inPath, ...inQuery]) };
  }
  return undefined;
}
