import type { Configuration } from 'oidc-provider';
import { ASSERTION_ALGORITHMS, DPOP_ALGORITHMS } from '../proofs/algorithms.js';

/** The signature algorithms of what applications sign. */
export const ALGORITHMS: Configuration['enabledJWA'] = {
  dPoPSigningAlgValues: DPOP_ALGORITHMS,
  clientAuthSigningAlgValues: ASSERTION_ALGORITHMS,
};

/** What goes beyond RFC 6749: tokens that are bound to a key (RFC 9449), and pushed authorization requests (RFC 9126). */
export function extensions() {
  return {
    dPoP: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
  } satisfies Configuration['features'];
}
