interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: NoInfer<V>): unknown;
}

/** What a map or a cache has under a key; if it has nothing, what is made and kept there now. */
export function getOrCreate<K, V>(known: Store<K, V>, key: K, create: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    value = create();
    known.set(key, value);
  }
  return value;
}
