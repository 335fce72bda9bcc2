import type { RegisteredOperation } from '../operation/operation.js';

/** The methods of the operations at a path, for the `Allow` header of a 405. */
export function methodsAt(url: string, operations: readonly RegisteredOperation[]): string[] {
  const parts = url.split('?')[0]!.split('/');
  const methods = operations.filter((operation) => isAt(parts, operation)).map(({ method }) => method as string);
  return methods.includes('GET') ? [...new Set([...methods, 'HEAD'])] : [...new Set(methods)];
}

function isAt(parts: readonly string[], { path }: RegisteredOperation): boolean {
  const expected = path.split('/');
  return (
    expected.length === parts.length &&
    expected.every((part, index) => (part.startsWith('{') ? parts[index] !== '' : parts[index] === part))
  );
}
