import type { AsymmetricSigningAlgorithm } from 'oidc-provider';

/** Of proofs that come with every call (RFC 9449): those that take little time to verify. Ed25519 has two names. */
export const DPOP_ALGORITHMS: AsymmetricSigningAlgorithm[] = ['ES256', 'Ed25519', 'EdDSA'];
/** Of assertions, with which applications authenticate (RFC 7523). */
export const ASSERTION_ALGORITHMS: AsymmetricSigningAlgorithm[] = [...DPOP_ALGORITHMS, 'PS256', 'RS256'];
