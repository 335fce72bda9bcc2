import type { Command } from 'commander';
import { StartError } from '../kernel/start-error.js';

/** Credentials come from the environment alone: an argument would be seen by everybody on the machine. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description(
      'The tool server for language models over stdio. CLAIMS_BASE_URL names the API; CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN is the credential.',
    )
    .option('--readonly', 'only tools that change nothing')
    .option('--toolsets <list>', 'only tools of these capabilities, separated by commas')
    .action(async (options: { readonly?: boolean; toolsets?: string }) => {
      const { CLAIMS_BASE_URL: baseUrl = 'http://127.0.0.1:3000', CLAIMS_API_KEY: apiKey, CLAIMS_ACCESS_TOKEN: token } = process.env;
      if (!apiKey === !token) throw new StartError('Set CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN, and not both.');
      const { serveTools } = await import('../modules/mcp/index.js');
      await serveTools(baseUrl.replace(/\/+$/, ''), apiKey ? { 'x-api-key': apiKey } : { authorization: `Bearer ${token}` }, options);
    });
}
