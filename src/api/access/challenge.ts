import type { Settings } from '../../kernel/settings/settings.js';

/** The part of a challenge that tells a client where to learn who gives tokens (RFC 9728). */
export const resourceMetadata = ({ publicUrl }: Settings): string =>
  `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`;
