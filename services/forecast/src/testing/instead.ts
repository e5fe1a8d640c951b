export function instead<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(key in methods ? methods : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
