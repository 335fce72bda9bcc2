/** What this is called, and the version of its description. */
export const API_NAME = 'Claims API';
export const API_VERSION = '1.0.0';
/** As which program the tool server over stdio calls the API: the begin of its User-Agent. */
export const TOOLS_AGENT = 'claims-mcp/';
