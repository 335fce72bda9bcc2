export abstract class ProtectedResource {
  abstract readonly path: string;
  abstract readonly name: string;
}
