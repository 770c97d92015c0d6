/** Makes a value when it is first asked for, and keeps it. One that could not be made is tried again. */
export function lazily<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}
