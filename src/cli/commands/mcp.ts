import type { Command } from 'commander';
import { StartError } from '../../kernel/start-error.js';

/** Credentials come from environment variables: everybody on the machine can read the arguments of a process. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('Serve tools to a language model over stdio. Set CLAIMS_BASE_URL, and CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN.')
    .option('--readonly', 'only read-only tools')
    .option('--toolsets <list>', 'only tools of these capabilities, separated by commas')
    .action(async (options: { readonly?: boolean; toolsets?: string }) => {
      const { CLAIMS_BASE_URL: baseUrl = 'http://127.0.0.1:3000', CLAIMS_API_KEY: apiKey, CLAIMS_ACCESS_TOKEN: token } = process.env;
      if (!apiKey === !token) throw new StartError('Set either CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN.');
      const { serveTools } = await import('../../modules/mcp/index.js');
      await serveTools(baseUrl.replace(/\/+$/, ''), apiKey ? { 'x-api-key': apiKey } : { authorization: `Bearer ${token}` }, options);
    });
}
