import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { DevicePages } from '../devices/device-pages.js';
import { ASSERTION_ALGORITHMS, DPOP_ALGORITHMS } from '../proofs/algorithms.js';

/** The signature algorithms of what applications sign. */
export const ALGORITHMS: Configuration['enabledJWA'] = {
  dPoPSigningAlgValues: DPOP_ALGORITHMS,
  clientAuthSigningAlgValues: ASSERTION_ALGORITHMS,
};

/** The `jti` of an assertion is remembered until the assertion expires. So it must expire soon. */
const ASSERTION_MAX_SECONDS = 3600;
const JTI_MAX_LENGTH = 256;

export function requireShortAssertion(_ctx: KoaContextWithOIDC, claims: Readonly<Record<string, unknown>>): Promise<void> {
  const { exp, jti } = claims;
  if (typeof exp !== 'number' || exp > Date.now() / 1000 + ASSERTION_MAX_SECONDS)
    throw new errors.InvalidClientAuth(`the assertion must expire within ${ASSERTION_MAX_SECONDS} seconds`);
  if (typeof jti !== 'string' || jti.length > JTI_MAX_LENGTH)
    throw new errors.InvalidClientAuth(`the jti of the assertion must be a text of at most ${JTI_MAX_LENGTH} characters`);
  return Promise.resolve();
}

/**
 * What goes beyond RFC 6749: tokens that are bound to a key (RFC 9449), pushed authorization requests
 * (RFC 9126), and devices on which nobody can sign in (RFC 8628).
 */
export function extensions(devices: DevicePages) {
  return {
    dPoP: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    deviceFlow: {
      enabled: true,
      // 25 thousand million codes, without vowels and digits that look alike.
      charset: 'base-20',
      mask: '****-****',
      userCodeInputSource: (ctx, _form, _out, error) => devices.askForCode(ctx, error),
      userCodeConfirmSource: (ctx, _form, client, _device, code) => devices.askToContinue(ctx, client, code),
      successSource: (ctx) => devices.sayDone(ctx),
    },
  } satisfies Configuration['features'];
}
