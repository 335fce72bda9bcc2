/** The name of the API, and the version of its documents. */
export const API_NAME = 'Claims API';
export const API_VERSION = '1.0.0';
/** The User-Agent of the stdio tool server begins with this. */
export const TOOLS_AGENT = 'claims-mcp/';
