/** A port: something besides the API itself that access tokens are issued for (RFC 8707), such as the tool server. */
export abstract class ProtectedResource {
  /** Path below the service's address. */
  abstract readonly path: string;
  /** What people call it. */
  abstract readonly name: string;
}
