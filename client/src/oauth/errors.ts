import { ClaimsError } from '../errors.js';

export type CallbackMistake = 'state' | 'issuer' | 'code_missing';

/**
 * The request to the redirect address does not belong to an authorization that this browser began (`state`), or is not of this
 * service (`issuer`). Nothing was exchanged. Let the user begin again.
 */
export class CallbackError extends ClaimsError<'callback'> {
  constructor(
    readonly mistake: CallbackMistake,
    message: string,
  ) {
    super('callback', message);
  }
}

/** Nobody has connected, or the connection was removed in your program. Let the user connect. */
export class NotConnectedError extends ClaimsError<'not_connected'> {
  constructor(readonly connection: string) {
    super('not_connected', `There are no tokens for the connection ${connection}.`);
  }
}

/** The user or the organization ended the connection, or it expired. Let the user connect again. */
export class ConnectionRevokedError extends ClaimsError<'connection_revoked'> {
  constructor(
    readonly connection: string,
    cause: unknown,
  ) {
    super('connection_revoked', `The connection ${connection} was revoked or has expired.`, { cause });
  }
}
