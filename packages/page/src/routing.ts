/** View → its path behind `#`, such as `tenants/:id` or `topics/:topic?`, and its fields in the query → their parameters. */
export type Places<View extends string> = Readonly<Record<View, readonly [path: string, query?: Readonly<Record<string, string>>]>>;
/** A route, as far as it is known here: its view and the fields of that. */
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

/** The text that a part of an address stands for; undefined when it is not well encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The route of an address, the inverse of {@link hrefIn}: the first place whose path is that of the address; undefined when there is none. */
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
