import type { Settings } from '../../kernel/settings/settings.js';

/** The API; it is also what is meant when nothing is said. */
export const apiResource = ({ publicUrl }: Settings): string => publicUrl;
/** The tool server. */
export const toolResource = ({ publicUrl }: Settings): string => `${publicUrl}/mcp`;

/** What a token may be for (RFC 8707), as it was asked for: with a slash at the end or without. */
export function resourceNamed(settings: Settings, asked: string): string | undefined {
  return [apiResource(settings), toolResource(settings)].find((resource) => resource === asked.replace(/\/$/, ''));
}
