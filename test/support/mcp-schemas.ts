/**
 * What we use of two formats, in our own words and stricter than they are: a member that we have not read about is refused.
 * `server.json` of 2025-12-11 (MCP registry), and `manifest.json` 0.3 (MCP bundles).
 */
const text = { type: 'string', minLength: 1 };
const closed = (required: readonly string[], properties: object) => ({ type: 'object', required, properties, additionalProperties: false });

const INPUT = { description: text, isRequired: { type: 'boolean' }, isSecret: { type: 'boolean' }, placeholder: text };
const NAMED_INPUT = closed(['name'], { name: text, ...INPUT });
/** Registries refuse ranges, and `latest`. */
const VERSION = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$' };
const COMMON = { version: VERSION, transport: closed(['type'], { type: { const: 'stdio' } }) };

const NPM = closed(['registryType', 'identifier', 'version', 'transport'], {
  ...COMMON,
  registryType: { const: 'npm' },
  registryBaseUrl: { const: 'https://registry.npmjs.org' },
  identifier: { type: 'string', pattern: '^@[\\w-]+/[\\w-]+$' },
  runtimeHint: { const: 'npx' },
  environmentVariables: { type: 'array', items: NAMED_INPUT },
});

/** The registry looks whether the file is there, and wants `mcp` in its address. */
const MCPB = closed(['registryType', 'identifier', 'fileSha256', 'transport'], {
  ...COMMON,
  registryType: { const: 'mcpb' },
  identifier: { type: 'string', pattern: '^https://.*mcp.*\\.mcpb$' },
  fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
});

const REMOTE = closed(['type', 'url'], {
  type: { const: 'streamable-http' },
  url: { type: 'string', pattern: '^https?://[^\\s]+$' },
  headers: { type: 'array', items: NAMED_INPUT },
  variables: { type: 'object', additionalProperties: closed([], INPUT) },
});

export const SERVER_JSON = closed(['$schema', 'name', 'description', 'version'], {
  $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
  name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 },
  title: { ...text, maxLength: 100 },
  description: { ...text, maxLength: 100 },
  version: VERSION,
  packages: { type: 'array', items: { anyOf: [NPM, MCPB] } },
  remotes: { type: 'array', items: REMOTE },
});

const SETTING = closed(['type', 'title', 'description'], {
  type: { const: 'string' },
  title: text,
  description: text,
  required: { type: 'boolean' },
  sensitive: { type: 'boolean' },
});

export const MCPB_MANIFEST = closed(['manifest_version', 'name', 'version', 'description', 'author', 'server'], {
  manifest_version: { const: '0.3' },
  name: text,
  display_name: text,
  version: VERSION,
  description: text,
  author: closed(['name'], { name: text }),
  license: text,
  server: closed(['type', 'entry_point', 'mcp_config'], {
    type: { const: 'node' },
    entry_point: text,
    mcp_config: closed(['command'], {
      command: text,
      args: { type: 'array', items: text },
      env: { type: 'object', additionalProperties: { type: 'string' } },
    }),
  }),
  tools_generated: { type: 'boolean' },
  prompts_generated: { type: 'boolean' },
  keywords: { type: 'array', items: text },
  compatibility: closed([], {
    platforms: { type: 'array', items: { enum: ['darwin', 'win32', 'linux'] } },
    runtimes: closed([], { node: text }),
  }),
  user_config: { type: 'object', additionalProperties: SETTING },
});
